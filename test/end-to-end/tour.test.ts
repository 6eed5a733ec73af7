import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HostedSandbox, quickStep, startHostedSandbox } from './hosted-sandbox.ts';
import { runDrawbridge } from './run-drawbridge.ts';
import { recordingOf } from './tour-recording.ts';

const path = join(dirname(dirname(import.meta.dirname)), 'docs/tutorial.md');

let sandbox: HostedSandbox;
beforeAll(async () => {
  sandbox = await startHostedSandbox();
  sandbox.platform.settings.change({ videoCallsAfter: quickStep });
}, 180_000);
afterAll(() => sandbox.close());

it('drawbridge tour --yes runs every step, and its recording is in the tutorial', async () => {
  const { exit, stdout, stderr } = await runDrawbridge(sandbox, ['tour', '--yes']);
  expect(exit, stderr).toBe(0);
  const page = readFileSync(path, 'utf8');
  const start = '<!-- tour -->\n';
  const [before, after] = [page.indexOf(start) + start.length, page.indexOf('<!-- /tour -->')];
  expect(before).toBeLessThanOrEqual(after);
  const recording = `\n\`\`\`text\n${recordingOf(stdout)}\`\`\`\n\n`;
  await expect(page.slice(0, before) + recording + page.slice(after)).toMatchFileSnapshot(path);
}, 120_000);

it('drawbridge tour asks before each step, and ends when the user does not continue', async () => {
  const answers = [true, false];
  const { exit, stdout } = await runDrawbridge(sandbox, ['tour'], {
    askToContinue: async () => answers.shift() === true,
  });
  expect(exit).toBe(0);
  expect(stdout).toContain('step            COMPLETED');
  expect(stdout).toContain('2/6');
  expect(stdout).not.toContain('drawbridge trigger');
}, 60_000);

it('drawbridge tour refuses a deployment', async () => {
  const { exit, stderr } = await runDrawbridge(sandbox, ['tour', '--env', 'production']);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('without --env')]);
});
