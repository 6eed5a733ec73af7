import { describe, expect, it } from 'vitest';
import { programForTests } from './program-for-tests.ts';

/** Runs a command in this repository. @returns the lines of JSON that it prints, and its warnings */
async function run(...commandLine: readonly string[]) {
  const printed = { stdout: '', stderr: '' };
  const program = programForTests({
    stdout: (text) => (printed.stdout += text),
    stderr: (text) => (printed.stderr += text),
  });
  await program.parseAsync([...commandLine, '--json'], { from: 'user' });
  return { ...printed, json: (): unknown => JSON.parse(printed.stdout) };
}

describe('drawbridge settings and drawbridge cost', () => {
  it('prints the settings of the laptop, for --env and for the former option --environment with a warning', async () => {
    const { json } = await run('settings');
    expect(json()).toMatchObject({ environment: 'laptop', settings: expect.any(Array) });
    const former = await run('settings', '--environment', 'local');
    expect(former.json()).toMatchObject({ environment: 'laptop' });
    expect(former.stderr).toBe('--environment is --env from 0.4.0 on.\n');
  });

  it('prints the cost of an environment at a volume', async () => {
    const { json } = await run('cost', '--env', 'example', '--webhooks', '1000', '--region', 'us-east-1');
    expect(json()).toMatchObject({ environment: 'example', region: 'us-east-1', columns: [{ webhooks: 1_000 }] });
  });

  it.each([
    ['cost --webhooks many', '--webhooks'],
    ['cost --region us-west-1', 'The prices of us-west-1 are not known.'],
    ['cost --app /nowhere', '--app'],
    ['settings --env example', /baseUrl.*Next: correct/s],
    ['settings --explain platformProfiles', 'There is no setting platformProfiles.'],
  ])('refuses %s, and says what to do', async (commandLine, message) => {
    await expect(run(...commandLine.split(' '))).rejects.toThrow(message);
  });

  it('explains what each setting of a group takes, and every setting', async () => {
    const { json } = await run('settings', '--explain', 'platformProfile.undelivered');
    expect(json()).toEqual({
      key: 'platformProfile.undelivered.settle',
      meaning: expect.any(String),
      unit: 'milliseconds',
      default: 60_000,
    });
    const { stdout } = await run('settings', '--explain');
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.some((line) => line.includes('"key":"reconciliation.everyHours"'))).toBe(true);
  });
});
