import { type Host, type HostOptions, startHost } from '#sandbox/aws/host.ts';
import { recordStoredData } from '#test/upgrades/recorded-data.ts';
import { watchApiContract } from './api-contract.ts';
import { recordUses } from './permissions/record-uses.ts';

/** The hosted stacks as they are after the first deployment: without credentials, a token or a registered webhook. */
export type HostedStacks = {
  readonly host: Host;
  /** All log lines of the functions. */
  readonly log: readonly string[];
};

/** Hosts the stacks of an assembly. */
export async function startHostedStacks(options: Omit<HostOptions, 'onLog' | 'onApiAnswer'>): Promise<HostedStacks> {
  const log: string[] = [];
  const contract = watchApiContract();
  const host = await startHost({
    ...options,
    onLog: (functionName, line) => log.push(`${functionName} ${line}`),
    onApiAnswer: contract.onApiAnswer,
    onAwsCall: async (moment) => {
      recordUses(moment);
      recordStoredData(moment);
      await options.onAwsCall?.(moment);
    },
  });
  const close = async () => {
    await host.close();
    contract.check();
  };
  return { host: { ...host, close }, log };
}
