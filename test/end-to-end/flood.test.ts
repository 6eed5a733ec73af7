import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const eventType = 'CUSTOMER_NOTIFICATION';
/** Requests that the webhooks route takes at a time. After those, one in 100 seconds. */
const burst = 20;
const flood = 20 * burst;
let directory: string;
let stacks: HostedStacks;

/** The stacks of cdk.json, but for what the webhooks route takes. */
function narrowAssembly(): string {
  const copy = mkdtempSync(join(tmpdir(), 'drawbridge-flood-'));
  cpSync(inject('assembly'), copy, { recursive: true });
  for (const file of globSync(join(copy, '*.template.json'))) {
    const template = readFileSync(file, 'utf8');
    const narrow = template
      .replace('"ThrottlingBurstLimit": 4000', `"ThrottlingBurstLimit": ${burst}`)
      .replace('"ThrottlingRateLimit": 2000', '"ThrottlingRateLimit": 0.01');
    writeFileSync(file, narrow);
  }
  return copy;
}

beforeAll(() => {
  directory = narrowAssembly();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
beforeEach(async () => {
  stacks = await startHostedStacks({ assembly: directory });
});
afterEach(() => stacks.host.close());

/** How often each status was answered. */
async function tally(requests: readonly Promise<Response>[]): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const deliverAll = (count: number, from = 0) =>
  Array.from({ length: count }, (_, number) => stacks.deliver(eventType, `{"number":${from + number}}`));

describe('a flood of requests from strangers who do not know the webhooks URL', () => {
  it('is answered 404, runs no function, and leaves the whole throttle to the deliveries meanwhile', async () => {
    const url = `${stacks.host.place.apiOrigin}/webhooks/${eventType}`;
    const strangers = Array.from({ length: flood }, () => fetch(url, { method: 'POST', body: '{}' }));
    const deliveries = deliverAll(burst);
    expect(await tally(strangers)).toEqual({ 404: flood });
    expect(await tally(deliveries)).toEqual({ 200: burst });
    expect(stacks.log.filter((line) => line.startsWith('receive '))).toEqual([]);
  });
});

describe('a flood of requests without the secret from those who know the webhooks URL', () => {
  it('uses up the throttle of the route, and a delivery beyond is answered 429 and not acknowledged', async () => {
    const strangers = Array.from({ length: burst }, () =>
      stacks.deliver(eventType, '{}', { 'x-drawbridge-secret': '' }),
    );
    expect(await tally(strangers)).toEqual({ 401: burst });
    expect(await tally(deliverAll(3))).toEqual({ 429: 3 });
    expect(await stacks.events()).toEqual([]);
  });

  it('writes two lines in all for each function process, and stores nothing', async () => {
    await Promise.all(
      Array.from({ length: burst }, () => stacks.deliver(eventType, '{}', { 'x-drawbridge-secret': '' })),
    );
    const processes = stacks.host.functions.find('receive')?.pids().length ?? 0;
    const lines = stacks.log.filter((line) => line.startsWith('receive '));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(2 * processes);
    expect(await stacks.backlog('webhooks')).toBe(0);
  });
});
