import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const eventType = 'CUSTOMER_NOTIFICATION';
/** The requests that the webhooks route accepts in a burst. After the burst it accepts one in 100 seconds. */
const burst = 20;
const flood = 20 * burst;
let directory: string;
let stacks: HostedStacks;

/** Copies the stacks, with a low throttle for the webhooks route. */
async function copyThrottledAssembly(): Promise<string> {
  const outputDirectory = mkdtempSync(join(tmpdir(), 'drawbridge-flood-'));
  await copyAssembly({ outputDirectory });
  for (const file of globSync(join(outputDirectory, '*.template.json'))) {
    const template = readFileSync(file, 'utf8')
      .replace('"ThrottlingBurstLimit":4000', `"ThrottlingBurstLimit":${burst}`)
      .replace('"ThrottlingRateLimit":2000', '"ThrottlingRateLimit":0.01');
    writeFileSync(file, template);
  }
  return outputDirectory;
}

beforeAll(async () => {
  directory = await copyThrottledAssembly();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
beforeEach(async () => {
  stacks = await startHostedStacks({ assembly: directory });
});
afterEach(() => stacks.host.close());

/** Counts the answers by status. */
async function countStatuses(requests: readonly Promise<Response>[]): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const deliverAll = (count: number) =>
  Array.from({ length: count }, (_, number) => stacks.deliver(eventType, `{"number":${number}}`));

describe('a flood of requests from senders who do not know the webhooks URL', () => {
  it('gets 404, runs no function, and leaves the whole throttle of the webhooks route to concurrent deliveries', async () => {
    const url = `${stacks.host.place.apiOrigin}/webhooks/${eventType}`;
    const requests = Array.from({ length: flood }, () => fetch(url, { method: 'POST', body: '{}' }));
    const deliveries = deliverAll(burst);
    expect(await countStatuses(requests)).toEqual({ 404: flood });
    expect(await countStatuses(deliveries)).toEqual({ 200: burst });
    expect(stacks.log.filter((line) => line.startsWith('receive '))).toEqual([]);
  });
});

describe('a flood of requests without the secret from senders who know the webhooks URL', () => {
  it('writes at most two log lines for each function process and stores nothing, and the throttle answers later deliveries with 429', async () => {
    const requests = Array.from({ length: burst }, () =>
      stacks.deliver(eventType, '{}', { 'x-drawbridge-secret': '' }),
    );
    expect(await countStatuses(requests)).toEqual({ 401: burst });
    expect(await countStatuses(deliverAll(3))).toEqual({ 429: 3 });
    const processes = stacks.host.functions.find('receive')?.pids().length ?? 0;
    const lines = stacks.log.filter((line) => line.startsWith('receive '));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(2 * processes);
    expect(await stacks.backlog('webhooks')).toBe(0);
    expect(await stacks.events()).toEqual([]);
  });
});
