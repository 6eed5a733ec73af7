/** `npm run verify:deploy`: deploys the stacks to an AWS emulator and operates them. Exit code 1 when a step fails. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { program } from 'commander';
import * as z from 'zod';
import { startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { interruptedCode, interruption, requireNode24 } from '#sandbox/terminal/command-line.ts';
import { formatTable } from '#sandbox/terminal/table.ts';
import type { Deployment } from './deployment.ts';
import { runSteps } from './run-steps.ts';
import { steps } from './steps.ts';
import { createAws } from './tools/aws-cli.ts';
import { createCdk } from './tools/cdk-cli.ts';
import { emulatorEnvironment, operatorEnvironment } from './tools/child-environment.ts';
import { startEmulator } from './tools/emulator.ts';
import { installPythonTools } from './tools/python-tools.ts';

program
  .name('npm run verify:deploy --')
  .description('Deploys the stacks to an AWS emulator with IAM enforced, operates them, and destroys them.')
  .option('--keep', 'keep the files of the run: the templates, and the log of the emulator', false)
  .parse();

requireNode24();
const { keep } = z.object({ keep: z.boolean() }).parse(program.opts());
const root = dirname(dirname(import.meta.dirname));

/** The clock of the platform is behind, so that its records are old enough to be compared and marked. */
const platformLagMs = 60 * 60_000;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

// The emulator is in a process group of its own, which Ctrl-C does not reach.
void interruption().then(() => process.exit(interruptedCode));

const tools = await installPythonTools({ root, env: process.env });
if ('missing' in tools) print(`verify:deploy skips everything: this machine lacks ${tools.missing}.`);
else process.exitCode = (await verify(tools.bin)) ? 0 : 1;

/** Whether every step passed. */
async function verify(bin: string): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-deploy-'));
  const closers: (() => Promise<void>)[] = [];
  let hasPassed = false;
  try {
    const env = emulatorEnvironment({ env: process.env, root, bin, directory });
    const emulator = await startEmulator({ env, bin, directory });
    closers.push(emulator.close);
    const network = { isUp: true };
    const platform = await startPlatformServer({
      settings: { acceptSelfBeforeActive: true, videoCallsAfter: 1, deliveryRetriesAfter: [], deliveryTimeout: 60 },
      fetch: (input, init) =>
        network.isUp ? emulator.fetch(input, init) : Promise.reject(new TypeError('API Gateway is down.')),
      now: () => new Date(Date.now() - platformLagMs),
      onError: (error) => print(inspect(error)),
    });
    closers.push(platform.close);
    const operator = operatorEnvironment(env, emulator);
    const deployment: Deployment = {
      root,
      directory,
      environment: 'laptop',
      bin,
      env: operator,
      emulator,
      aws: createAws({ directory, env: operator }),
      cdk: createCdk({ root, env: operator }),
      platform,
      network,
    };
    const results = await runSteps(steps, deployment, { now: () => performance.now(), print });
    hasPassed = results.every(({ result }) => result !== 'FAILED');
    const rows = results.map(({ name, result, seconds }) => [name, result, seconds.toFixed(1)]);
    print(`\n${formatTable(['step', 'result', 'seconds'], rows)}`);
    return hasPassed;
  } finally {
    for (const close of closers.reverse()) await close();
    if (hasPassed && !keep) rmSync(directory, { recursive: true, force: true });
    else print(`\nThe files of the run are in ${directory}: emulator.log has what the functions logged.`);
  }
}
