import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/sandbox.ts';

/** The hosted stacks with the sandbox platform: they have a token, and every event type is registered. */
export type HostedSandbox = Sandbox & {
  /** All that the functions wrote. */
  readonly log: () => string;
};

export async function startHostedSandbox(
  options: Partial<Omit<SandboxOptions, 'root' | 'directory' | 'environment'>> = {},
): Promise<HostedSandbox> {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const root = dirname(dirname(import.meta.dirname));
  const sandbox = await startSandbox({
    root,
    directory,
    environment: process.env,
    redeliveryDelay: 0,
    ...options,
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    ...sandbox,
    log: () => readFileSync(sandbox.logFile, 'utf8'),
    close: async () => {
      await sandbox.close();
      remove();
    },
  };
}
