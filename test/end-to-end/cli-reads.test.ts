import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueNames } from '#cli/deployment/resource-names.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { runDrawbridge } from './run-drawbridge.ts';

let sandbox: HostedSandbox;
beforeAll(async () => {
  sandbox = await startHostedSandbox();
}, 120_000);
afterAll(() => sandbox.close());

const run = (...commandLine: readonly string[]) => runDrawbridge(sandbox, commandLine);

describe('drawbridge status', () => {
  it('shows every queue, the release and the quarantine', async () => {
    const { exit, json } = await run('status', '--json');
    expect(exit).toBe(0);
    expect(json()).toMatchObject({ environment: 'local', version: expect.any(String), quarantined: 0 });
    expect(json()).toMatchObject({ queues: queueNames.map((name) => ({ name, waiting: 0 })) });
    expect((await run('status')).stdout).toMatch(/^WebhooksDlq +0 +0 +0$/m);
  });
});

describe('drawbridge doctor', () => {
  it('exits with 0 and names each check when nothing is wrong', async () => {
    const { exit, jsonLines } = await run('doctor', '--json');
    expect(jsonLines()).toEqual(
      ['version', 'registrations', 'dead letters', 'quarantine'].map((check) =>
        expect.objectContaining({ check, result: 'good' }),
      ),
    );
    expect(exit).toBe(0);
  });
});

describe('drawbridge without a deployment', () => {
  it('exits with 2 and names the next command when npm start does not run', async () => {
    const { exit, stderr } = await run('status', '--directory', '/nowhere');
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('Next: npm start') });
  });

  it('exits with 2 when the command line is wrong, and with 0 for the help', async () => {
    expect(await run('statu')).toMatchObject({ exit: 2, stderr: expect.stringContaining('Did you mean status?') });
    expect(await run('status', '--help')).toMatchObject({ exit: 0, stdout: expect.stringContaining('Examples:') });
  });
});
