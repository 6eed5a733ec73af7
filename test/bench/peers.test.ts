import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWebhookMessage } from '#shared/events/webhook-delivery.ts';
import { bundlePeers, floor, type Peer, variablesOf } from './peers.ts';
import { receivePlan, storePhase } from './plans.ts';
import { type Plan, runSample } from './run-sample.ts';
import { type StubServer, startStubServer } from './stub-server.ts';
import { secretHeader } from './webhooks.ts';

const directory = mkdtempSync(join(tmpdir(), 'drawbridge-peers-'));
let stub: StubServer;
beforeAll(async () => {
  stub = await startStubServer();
});
afterAll(async () => {
  await stub.close();
  rmSync(directory, { recursive: true, force: true });
});

async function run(peer: Peer, plan: Plan) {
  stub.reset();
  return runSample(peer.bundle, plan, { directory, env: variablesOf(stub.origin) });
}

describe('the peers of the bench do the same work', { timeout: 120_000 }, () => {
  it('as receive: each sends the same message, and refuses a webhook without the secret', async () => {
    const plan = receivePlan('same', 1, 0);
    const unauthorized = JSON.parse(JSON.stringify(plan).replaceAll(secretHeader, 'x-other'));
    const peers = bundlePeers('receive', directory).filter(({ name }) => name !== floor);
    const messages: unknown[] = [];
    for (const peer of peers) {
      await run(peer, plan);
      messages.push(stub.sent().map(readWebhookMessage));
      await expect(run(peer, unauthorized)).rejects.toThrow('401');
      expect(stub.sent()).toEqual([]);
    }
    expect(peers).toHaveLength(4);
    expect(messages).toEqual(peers.map(() => messages[0]));
    expect(messages[0]).toHaveLength(2);
  });

  it('as store: each publishes the same changes, once for a duplicate', async () => {
    const changes: unknown[] = [];
    for (const peer of bundlePeers('store', directory)) {
      const name = `same ${peer.name}`;
      const [first, ...events] = [
        ...storePhase(`${name} fresh`, 'fresh', 10, 1, 0).events,
        ...storePhase(`${name} duplicate`, 'duplicate', 2, 2, 0).events,
      ];
      await run(peer, { first, phases: [{ name: 'further', events, warmUp: 0 }] });
      const published = stub.published().map((text) => {
        const { id, sequence, status } = JSON.parse(text);
        return `${id.replace(name.replaceAll(/\W+/g, '-'), '')} ${sequence} ${status}`;
      });
      changes.push([...new Set(published)].toSorted());
    }
    expect(changes[1]).toEqual(changes[0]);
    expect(changes[0]).toHaveLength(12);
  });
});
