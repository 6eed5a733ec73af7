import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/sandbox.ts';
import { recordRows, recordStoredData } from '#test/upgrades/recorded-data.ts';
import { watchApiContract } from './api-contract.ts';
import { readAnswer } from './call-api.ts';
import { copyAssembly } from './copy-assembly.ts';
import { recordUses } from './permissions/record-uses.ts';
import { quickSteps } from './quick-steps.ts';

/** The hosted stacks with the sandbox platform, a token, and a registered webhook for every event type. */
export type HostedSandbox = Sandbox & {
  /** Reads what the API of the stacks answers, an error included. */
  readonly readApi: (path: string) => Promise<Record<string, unknown>>;
  /** Has the platform deliver a webhook with this text, or with this object as JSON. */
  readonly deliver: (
    eventType: string,
    body: string | object,
  ) => ReturnType<Sandbox['platform']['deliveries']['deliver']>;
  /** All log lines of the functions. */
  readonly log: () => string;
};

export async function startHostedSandbox(
  options: Partial<Omit<SandboxOptions, 'root' | 'directory' | 'environment'>> = {},
): Promise<HostedSandbox> {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const contract = watchApiContract();
  const root = dirname(dirname(import.meta.dirname));
  const sandbox = await startSandbox({
    root,
    directory,
    environment: process.env,
    redeliveryDelay: 0,
    writeAssembly: (props) => copyAssembly(inject('assembly'), props),
    ...options,
    platform: { ...options.platform, settings: { ...quickSteps, ...options.platform?.settings } },
    onApiAnswer: contract.onApiAnswer,
    onAwsCall: async (moment) => {
      recordUses(moment);
      recordStoredData(moment);
      await options.onAwsCall?.(moment);
    },
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    ...sandbox,
    readApi: (path) => readAnswer(sandbox.endpoints.api, path),
    deliver: (eventType, body) =>
      sandbox.platform.deliveries.deliver(
        eventType,
        Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      ),
    log: () => readFileSync(sandbox.logFile, 'utf8'),
    close: async () => {
      await recordRows(sandbox.host);
      await sandbox.close();
      remove();
      contract.check();
    },
  };
}
