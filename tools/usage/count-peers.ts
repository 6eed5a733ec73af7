import type { CountedUsage } from '#cli/cost/counted-usage.ts';
import { runSample } from '#tools/bench/measure-peers.ts';
import { bundlePeers, type Compared } from '#tools/bench/peers.ts';
import { startStubServer } from '#tools/bench/stub-server.ts';
import { httpEvent, sqsEvent } from '#tools/bench/webhooks.ts';
import { orderBodies, roundUnits } from './count-usage.ts';
import { bytesPerLogLine, metricsOf } from './usage-counter.ts';

const peers = { receive: 'middy + Powertools', store: 'Powertools, conditional write' } as const satisfies Record<
  Compared,
  string
>;

/** Counts what middy and Powertools ask of AWS for the webhooks of one order, in processes of their own and from a stub of AWS. */
export async function countPeers(directory: string): Promise<CountedUsage['peers']> {
  const stub = await startStubServer();
  const requests = new Map<string, number>();
  const lines: string[] = [];
  const uncounted: string[] = [];
  /** Every order is another one. The first call of a process reads a secret and logs a cold start: it is not counted. */
  async function run(part: Compared, order: number, isCounted: boolean): Promise<void> {
    const peer = bundlePeers(part, directory).find(({ name }) => name === peers[part]);
    if (peer === undefined) throw new Error(`The bench has no peer ${peers[part]}.`);
    const event = (body: string, nth: number) =>
      part === 'receive' ? httpEvent(body, `request-${nth}`) : sqsEvent([{ body, deliveryId: `delivery-${nth}` }]);
    const [first = {}] = orderBodies(order).map(event);
    const phases = isCounted ? { counted: orderBodies(order + 1).map(event) } : {};
    const before = stub.counted();
    const { lines: written } = await runSample(peer, { first, phases, warmUp: 0 }, { directory, origin: stub.origin });
    const sign = isCounted ? 1 : -1;
    for (const [name, count] of Object.entries(stub.counted()))
      requests.set(name, (requests.get(name) ?? 0) + sign * (count - (before[name] ?? 0)));
    (isCounted ? lines : uncounted).push(...written);
  }
  try {
    for (const part of ['receive', 'store'] as const) {
      await run(part, 1, true);
      await run(part, 3, false);
    }
  } finally {
    await stub.close();
  }
  const size = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + Buffer.byteLength(text) + bytesPerLogLine, 0);
  const perWebhook = (name: string) => roundUnits((requests.get(name) ?? 0) / orderBodies(0).length);
  const services = {
    BatchGetItem: 'dynamodb',
    PutItem: 'dynamodb',
    PutEvents: 'eventBridge',
    SendMessage: 'sqs',
  } as const;
  return {
    requests: Object.fromEntries(
      Object.entries(services).map(([name, service]) => [`${service} ${name}`, perWebhook(name)]),
    ),
    // Every row is smaller than a kilobyte, and each read is consistent and of one row.
    writeUnits: perWebhook('PutItem'),
    eventWriteUnits: 1,
    readUnits: perWebhook('BatchGetItem'),
    tableUses: 2,
    busEvents: perWebhook('PutEvents'),
    logBytes: Math.round((size(lines) - size(uncounted)) / orderBodies(0).length),
    metrics: [...new Set(lines.filter((line) => line.includes('"_aws"')).flatMap(metricsOf))].toSorted(),
  };
}
