/** `npm run verify`: all deep runs. Exit code 1 when one fails; the others run nevertheless. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { program } from 'commander';
import * as z from 'zod';
import { formatTable } from '#sandbox/terminal/table.ts';
import { background, type DeepRun, deployment, foreground, notRun } from './deep-runs.ts';

program
  .name('npm run verify --')
  .description('Runs what proves more than npm test has the time for.')
  .option('--deploy', 'also runs npm run verify:deploy', false)
  .parse();
const { deploy } = z.object({ deploy: z.boolean() }).parse(program.opts());

const root = dirname(dirname(import.meta.dirname));
const rows: (readonly [string, string, string])[] = [];

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Runs a command of the foreground, and shows its output. Returns the exit code. */
async function performInForeground({ name, command, environment }: DeepRun): Promise<number> {
  print(`\n=== ${name}\n`);
  const child = spawn(command, { cwd: root, env: { ...process.env, ...environment }, stdio: 'inherit', shell: true });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** Runs a command at low priority, and prints its output when it ends. Returns the exit code. */
async function performInBackground({ name, command, environment }: DeepRun): Promise<number> {
  const child = spawn(`nice -n 10 ${command}`, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: true,
  });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk));
  const [code] = await once(child, 'close');
  print(`\n=== ${name}\n`);
  process.stdout.write(Buffer.concat(printed));
  return typeof code === 'number' ? code : 1;
}

/** Performs runs one after the other. */
async function performAll(runs: readonly DeepRun[], perform: (run: DeepRun) => Promise<number>): Promise<void> {
  for (const run of runs) {
    const startedAt = performance.now();
    const code = await perform(run);
    const minutes = (performance.now() - startedAt) / 60_000;
    rows.push([run.name, code === 0 ? 'passed' : `FAILED with exit code ${code}`, minutes.toFixed(1)]);
    if (code !== 0) process.exitCode = 1;
  }
}

await Promise.all([
  performAll(deploy ? [...foreground, deployment] : foreground, performInForeground),
  performAll(background, performInBackground),
]);
const skipped = deploy ? [] : [[deployment.name, deployment.command] as const];
print(`\n${formatTable(['deep run', 'result', 'minutes'], rows)}`);
print(`\n${formatTable(['not run', 'command'], [...notRun, ...skipped])}`);
