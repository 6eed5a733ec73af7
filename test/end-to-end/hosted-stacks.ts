import { inject } from 'vitest';
import { type Host, type HostOptions, startHost } from '#sandbox/aws/host.ts';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';
import { readAllEvents } from '#sandbox/scenario/common/event-store.ts';
import { readWebhookHeaders, webhooksUrlOf } from '#sandbox/webhook-headers.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import { recordStoredData } from '#test/upgrades/recorded-data.ts';
import { watchApiContract } from './api-contract.ts';
import { recordUses } from './permissions/record-uses.ts';

/** The hosted stacks, and what a test needs to act as the platform. */
export type HostedStacks = {
  readonly host: Host;
  /** All log lines of the functions. */
  readonly log: readonly string[];
  /** Delivers a body with the registered header. The given headers replace it. */
  readonly deliver: (
    eventType: string,
    body: string | Uint8Array,
    headers?: Record<string, string>,
  ) => Promise<Response>;
  readonly events: () => Promise<readonly EventRow[]>;
  /** The number of messages that wait or are in flight. */
  readonly backlog: (queue: string) => Promise<number>;
  readonly queueUrl: (queue: string) => string;
};

/** Hosts the stacks, or those of another assembly. */
export async function startHostedStacks(options: Partial<Omit<HostOptions, 'onLog'>> = {}): Promise<HostedStacks> {
  const log: string[] = [];
  const contract = watchApiContract();
  const host = await startHost({
    assembly: inject('assembly'),
    redeliveryDelay: 0,
    onLog: (functionName, line) => log.push(`${functionName} ${line}`),
    ...options,
    onApiAnswer: contract.onApiAnswer,
    onAwsCall: async (moment) => {
      recordUses(moment);
      recordStoredData(moment);
      await options.onAwsCall?.(moment);
    },
  });
  const registered = await readWebhookHeaders(host);
  const queueUrl = (queue: string) => host.blueprint.queues.find(({ name }) => name === queue)?.ref ?? '';
  const close = async () => {
    await host.close();
    contract.check();
  };
  return {
    host: { ...host, close },
    log,
    queueUrl,
    deliver: (eventType, body, headers = {}) =>
      fetch(`${webhooksUrlOf(host)}/${encodeURIComponent(eventType)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...registered, ...headers },
        body: Buffer.from(body),
      }),
    events: () => readAllEvents(host),
    backlog: async (queue) => {
      const { visible, inFlight } = await readQueueDepth(host.clients.sqs, queueUrl(queue));
      return visible + inFlight;
    },
  };
}
