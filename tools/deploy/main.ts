/**
 * `npm run verify:deploy`: deploys the stacks to an AWS emulator, or with `--aws` to an account, and operates them. Exit code 1 when a
 * step fails.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { inspect } from 'node:util';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { Option, program } from 'commander';
import * as z from 'zod';
import { startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { interruptedCode, interruption, portNumber, requireNode24 } from '#sandbox/terminal/command-line.ts';
import { formatTable } from '#sandbox/terminal/table.ts';
import { checkReached, startFront } from './account/front.ts';
import { checkOptions } from './account/plan.ts';
import { removeAccountRun, verifyAccount } from './account/verify-account.ts';
import { contextOfPlatform, type DeployRun } from './deploy-run.ts';
import { DeploymentError } from './errors.ts';
import { runSteps } from './run-steps.ts';
import { accountSteps, steps } from './steps.ts';
import { emulatorTarget } from './target.ts';
import { createAws } from './tools/aws-cli.ts';
import { createCdk } from './tools/cdk-cli.ts';
import { emulatorEnvironment, operatorEnvironment } from './tools/child-environment.ts';
import { type Emulator, startEmulator } from './tools/emulator.ts';
import { installPythonTools } from './tools/python-tools.ts';

program
  .name('npm run verify:deploy --')
  .description('Deploys the stacks to an AWS emulator with IAM enforced, operates them, and destroys them.')
  .option('--keep', 'keep the files of the run: the templates, and the log of the emulator', false)
  .option(
    '--aws',
    'the same in the account of your credentials, in AWS_REGION: asks first, and removes everything',
    false,
  )
  .option('--rehearse', 'with --aws: on an emulator that stands for AWS', false)
  .option('--account <id>', 'with --aws: the account that you expect')
  .option('--yes', 'with --aws and --account: ask nothing', false)
  .option('--platform-url <url>', 'with --aws: where AWS reaches --platform-port of this machine, such as a tunnel')
  .addOption(
    new Option('--platform-port <port>', 'the port of the sandbox platform').default(40_080).argParser(portNumber),
  )
  .option('--remove <run>', 'with --aws: only remove a run that was killed, such as verify-1a2b3c')
  .parse();

requireNode24();
const options = z
  .object({
    keep: z.boolean(),
    aws: z.boolean(),
    rehearse: z.boolean(),
    account: z.optional(z.string()),
    yes: z.boolean(),
    platformUrl: z.optional(z.string()),
    platformPort: z.int(),
    remove: z.optional(z.string()),
  })
  .parse(program.opts());
const root = dirname(dirname(import.meta.dirname));

/** The clock of the platform is behind, so that its records are old enough to be compared and marked. */
const platformLagMs = 60 * 60_000;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

const interrupt = new AbortController();
const askIfTerminal = process.stdin.isTTY ? ask : undefined;

// The emulator is in a process group of its own, which Ctrl-C does not reach. In an account, the first Ctrl-C ends the steps, and what was
// created is removed.
void interruption().then(() => {
  if (!options.aws || options.remove !== undefined) process.exit(interruptedCode);
  print('\nInterrupted: removing what was created. A second Ctrl-C ends at once.');
  void interruption().then(() => process.exit(interruptedCode));
  interrupt.abort();
});

const tools = await installPythonTools({ root, env: process.env });
if ('missing' in tools) print(`verify:deploy skips everything: this machine lacks ${tools.missing}.`);
else
  try {
    process.exitCode = (await verify(tools.bin)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof DeploymentError)) throw error;
    print(error.message);
    process.exitCode = 1;
  }

// The step that was abandoned may still wait.
if (interrupt.signal.aborted) process.exit();

/** Whether every step passed. */
async function verify(bin: string): Promise<boolean> {
  checkOptions(options, process.env);
  const isEmulated = !options.aws || options.rehearse;
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-deploy-'));
  const closers: (() => Promise<void>)[] = [];
  let hasPassed = false;
  try {
    const env = emulatorEnvironment({ env: process.env, root, bin, directory });
    if (options.remove !== undefined) {
      const props = { options, directory, env, region: regionOf(), credentials: await defaultProvider()() };
      hasPassed = await removeAccountRun(options.remove, props, { print, ask: askIfTerminal });
      return hasPassed;
    }
    const emulator = isEmulated ? await startEmulator({ env, bin, directory }) : undefined;
    if (emulator !== undefined) closers.push(emulator.close);
    const network = { isUp: true };
    const send = emulator?.fetch ?? fetch;
    const platform = await startPlatformServer({
      settings: { acceptSelfBeforeActive: true, videoCallsAfter: 1, deliveryRetriesAfter: [], deliveryTimeout: 60 },
      fetch: (input, init) =>
        network.isUp ? send(input, init) : Promise.reject(new TypeError('API Gateway is down.')),
      now: () => new Date(Date.now() - platformLagMs),
      onError: (error) => print(inspect(error)),
    });
    closers.push(platform.close);
    const shared = { directory, bin, env: emulator ? operatorEnvironment(env, emulator) : env };
    hasPassed =
      options.aws || emulator === undefined
        ? await verifyInAccount({ ...shared, emulator, platform: { platform, network }, closers })
        : await verifyOnEmulator({ ...shared, emulator, platform, network });
    return hasPassed;
  } finally {
    for (const close of closers.reverse()) await close();
    if (hasPassed && !options.keep) rmSync(directory, { recursive: true, force: true });
    else print(`\nThe files of the run are in ${directory}: emulator.log has what the functions logged.`);
  }
}

type Shared = Pick<DeployRun, 'directory' | 'bin' | 'env'>;

async function verifyOnEmulator({
  emulator,
  ...shared
}: Shared & Pick<DeployRun, 'platform' | 'network'> & { readonly emulator: Emulator }): Promise<boolean> {
  const { directory, env, platform } = shared;
  const deployment: DeployRun = {
    ...shared,
    root,
    environment: 'laptop',
    target: emulatorTarget(emulator, platform.origin),
    context: contextOfPlatform(platform.origin),
    aws: createAws({ directory, env }),
    cdk: createCdk({ root, env }),
  };
  const results = await runSteps(steps, deployment, { now: () => performance.now(), today: () => new Date(), print });
  const rows = results.map(({ name, result, seconds }) => [name, result, seconds.toFixed(1)]);
  print(`\n${formatTable(['step', 'result', 'seconds'], rows)}`);
  return results.every(({ result }) => result !== 'FAILED');
}

async function verifyInAccount({
  closers,
  ...shared
}: Shared & {
  readonly emulator: Emulator | undefined;
  readonly platform: Pick<DeployRun, 'platform' | 'network'>;
  readonly closers: (() => Promise<void>)[];
}): Promise<boolean> {
  const { emulator, platform } = shared;
  const region = emulator?.region ?? regionOf();
  if (options.platformUrl !== undefined) {
    closers.push(await startFront({ port: options.platformPort, origin: platform.platform.origin }));
    await checkReached(options.platformUrl);
  }
  const credentials = emulator === undefined ? await defaultProvider()() : undefined;
  const props = { ...shared, options, steps: accountSteps, root, region, credentials };
  return verifyAccount(
    { ...props, signal: interrupt.signal },
    { print, ask: askIfTerminal, newRun: () => randomBytes(3).toString('hex') },
  );
}

function regionOf(): string {
  const { AWS_REGION: region = process.env['AWS_DEFAULT_REGION'] } = process.env;
  if (region === undefined) throw new DeploymentError('Nothing was created: set AWS_REGION to the region of the run.');
  return region;
}

/** Asks in the terminal. An open interface would keep Ctrl-C from the process: it is closed before anything is created. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.on('SIGINT', () => process.exit(interruptedCode));
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
