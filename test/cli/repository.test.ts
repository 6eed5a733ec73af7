import { describe, expect, it } from 'vitest';
import { programForTests } from './program-for-tests.ts';

/** What the command prints with --json. */
async function run(...commandLine: readonly string[]): Promise<unknown> {
  let printed = '';
  const stdout = (text: string) => {
    printed += text;
  };
  await programForTests({ stdout }).parseAsync([...commandLine, '--json'], { from: 'user' });
  return JSON.parse(printed);
}

describe('drawbridge settings and drawbridge cost', () => {
  it('prints the settings of the laptop', async () => {
    expect(await run('settings')).toMatchObject({ environment: 'laptop', settings: expect.any(Array) });
  }, 60_000);

  it('prints the cost of an environment at a volume', async () => {
    expect(await run('cost', '--env', 'example', '--webhooks', '1000', '--region', 'us-east-1')).toMatchObject({
      environment: 'example',
      region: 'us-east-1',
      columns: [{ webhooks: 1_000 }],
    });
  }, 120_000);

  it('takes the former option --environment for --env, with a warning', async () => {
    let warned = '';
    const stderr = (text: string) => {
      warned += text;
    };
    const program = programForTests({ stdout: () => undefined, stderr });
    await expect(program.parseAsync(['settings', '--environment', 'example'], { from: 'user' })).rejects.toThrow(
      /baseUrl/,
    );
    expect(warned).toBe('--environment is --env from 0.4.0 on.\n');
  }, 60_000);

  it('refuses a volume that is no whole number, and a region whose prices are not known', async () => {
    await expect(run('cost', '--webhooks', 'many')).rejects.toThrow('--webhooks');
    await expect(run('cost', '--region', 'us-west-1')).rejects.toThrow('The prices of us-west-1 are not known.');
  });

  it('explains what each setting of a group takes, and names an unknown one', async () => {
    let printed = '';
    const stdout = (text: string) => {
      printed += text;
    };
    const explain = (...key: readonly string[]) =>
      programForTests({ stdout }).parseAsync(['settings', '--json', '--explain', ...key], { from: 'user' });
    await explain('platformProfile.undelivered');
    expect(JSON.parse(printed)).toEqual({
      key: 'platformProfile.undelivered.settle',
      meaning: expect.any(String),
      unit: 'milliseconds',
      default: 60_000,
    });
    await expect(explain('platformProfiles')).rejects.toThrow('There is no setting platformProfiles.');
    printed = '';
    await explain();
    const all = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { key: string; meaning: string });
    expect(all.length).toBeGreaterThan(50);
    expect(all.map(({ key }) => key)).toContain('reconciliation.everyHours');
  });

  it('synthesizes the CDK app of a folder, and says what to do where there is none', async () => {
    await expect(run('cost', '--app', '/nowhere')).rejects.toThrow(/--app/);
  });

  it('names what is wrong with the settings of an environment, and what to do next', async () => {
    await expect(run('settings', '--env', 'example')).rejects.toThrow(/baseUrl.*Next: correct/s);
  }, 60_000);
});
