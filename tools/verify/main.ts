/** `npm run verify`: all deep runs, one after the other. Exit code 1 when one fails; the others run nevertheless. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { formatTable } from '#sandbox/terminal/table.ts';
import { type DeepRun, deepRuns, notRun } from './deep-runs.ts';

const root = dirname(dirname(import.meta.dirname));

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function perform({ command, environment }: DeepRun): Promise<number> {
  const env = { ...process.env, ...environment };
  const child = spawn(command, { cwd: root, env, stdio: 'inherit', shell: true });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

const rows: (readonly [string, string, string])[] = [];
for (const run of deepRuns) {
  print(`\n=== ${run.name}\n`);
  const startedAt = performance.now();
  const code = await perform(run);
  const minutes = (performance.now() - startedAt) / 60_000;
  rows.push([run.name, code === 0 ? 'passed' : `FAILED with exit code ${code}`, minutes.toFixed(1)]);
  if (code !== 0) process.exitCode = 1;
}
print(`\n${formatTable(['deep run', 'result', 'minutes'], rows)}`);
print(`\n${formatTable(['not run', 'command'], notRun)}`);
