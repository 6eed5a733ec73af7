/** `npm run verify`: all deep runs. Exit code 1 when one fails; the others run nevertheless. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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

/** The lines at the end of what a failed run printed: as many as a summary of tests takes. */
const failureLines = 60;
const failures: string[] = [];

/** Runs a command, and shows its output meanwhile if asked to. Returns the exit code and the whole output. */
async function perform(
  command: string,
  environment: DeepRun['environment'],
  isShown: boolean,
): Promise<{ code: number; output: string }> {
  const child = spawn(command, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: true,
  });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed.push(chunk);
      if (isShown) process.stdout.write(chunk);
    });
  }
  const closed = once(child, 'close');
  const [code] = await once(child, 'exit');
  // A process that the command left behind keeps the pipe open.
  await Promise.race([closed, setTimeout(5_000, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  return { code: typeof code === 'number' ? code : 1, output: Buffer.concat(printed).toString() };
}

/** Performs runs one after the other. What runs in the background has a low priority, and prints when it ends. */
async function performAll(runs: readonly DeepRun[], place: 'foreground' | 'background'): Promise<void> {
  for (const { name, command, environment } of runs) {
    const startedAt = performance.now();
    const isShown = place === 'foreground';
    if (isShown) print(`\n=== ${name}\n`);
    const { code, output } = await perform(isShown ? command : `nice -n 10 ${command}`, environment, isShown);
    if (!isShown) print(`\n=== ${name}\n\n${output}`);
    const minutes = (performance.now() - startedAt) / 60_000;
    rows.push([name, code === 0 ? 'passed' : `FAILED with exit code ${code}`, minutes.toFixed(1)]);
    if (code !== 0) {
      process.exitCode = 1;
      failures.push(`=== FAILED: ${name}\n\n${output.trimEnd().split('\n').slice(-failureLines).join('\n')}`);
    }
  }
}

await Promise.all([
  performAll(deploy ? [...foreground, deployment] : foreground, 'foreground'),
  performAll(background, 'background'),
]);
const skipped = deploy ? [] : [[deployment.name, deployment.command] as const];
print(`\n${formatTable(['not run', 'command'], [...notRun, ...skipped])}`);
print(`\n${formatTable(['deep run', 'result', 'minutes'], rows)}`);
// A page that shows a long log may cut its middle, but not its end.
for (const failure of failures) print(`\n${failure}`);
