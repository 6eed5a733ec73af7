import { type SpawnOptions, spawn } from 'node:child_process';
import { root } from '#docs/generate/markdown-pages.ts';
import { cachedEnvironment } from './cached-environment.ts';

/** A process that a test has started. */
export type Spawned = ReturnType<typeof spawnProcess>;

/** Starts a command in the repository, as a developer does. */
export function spawnProcess(
  command: string,
  commandLine: readonly string[],
  options: Pick<SpawnOptions, 'detached'> = {},
) {
  const child = spawn(command, commandLine, { cwd: root, env: cachedEnvironment(), ...options });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const exit = new Promise<{ readonly code: number | null; readonly signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  return { process: child, printed: () => printed, exit };
}
