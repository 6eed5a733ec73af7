import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { refreshToken } from '#sandbox/scenario/common/schedules.ts';
import { readWebhookHeaders, webhooksUrlOf } from '#sandbox/webhook-headers.ts';
import { writeEvent } from '#shared/entities/entity-row.ts';
import { sampleIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';

const { externalId: _, ...person } = samplePerson;
const identification = { ...sampleIdentification, mode: 'supplied' };

const named = z.looseObject({ SecretId: z.string().optional(), TableName: z.string().optional() });

let sandbox: HostedSandbox;
/** The AWS calls of the functions: `store DeleteItem`, and for the webhook secret and the events table also its name. */
const calls: string[] = [];
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    platform: { settings: { acceptSelfBeforeActive: true } },
    onAwsCall: ({ when, caller, operation, input }: AwsCallMoment) => {
      if (when !== 'after' || caller === undefined) return;
      const { SecretId, TableName } = named.parse(input());
      const [name = ''] = /webhook-secret$|events$/.exec(SecretId ?? TableName ?? '') ?? [];
      calls.push(`${caller} ${operation} ${name}`.trim());
    },
  });
}, 120_000);
afterAll(() => sandbox.close());

function request(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${sandbox.host.place.apiOrigin}${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
}

function invoke(name: string, event: object) {
  return sandbox.host.functions.find(name)?.invoke(JSON.stringify(event));
}

/** Onboards a person. Returns the platform's id of the person. */
async function onboard(externalId: string): Promise<string> {
  expect((await request('POST', '/onboardings', { externalId, person, identification })).status).toBe(202);
  let naturalPersonId = '';
  await expect
    .poll(
      async () => {
        const answer = JSON.parse(await (await request('GET', `/onboardings/${externalId}`)).text());
        naturalPersonId = answer.naturalPersonId;
        return answer.step;
      },
      { timeout: 90_000 },
    )
    .toBe('COMPLETED');
  return naturalPersonId;
}

async function deliver(eventType: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json', ...(await readWebhookHeaders(sandbox.host)) };
  await fetch(`${webhooksUrlOf(sandbox.host)}/${eventType}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

describe('a token that the platform refuses', () => {
  it.each([
    [
      'update-person',
      () => request('PATCH', '/onboardings/refused/person', { naturalPersonUpdateData: { profession: 'Baker' } }),
    ],
    ['reconcile', () => invoke('reconcile', { mode: 'report' })],
    ['advance', () => request('POST', '/onboardings', { externalId: 'advanced', person, identification })],
  ])('is reported by %s', async (caller, use) => {
    if (caller === 'update-person') await onboard('refused');
    await refreshToken(sandbox.host);
    sandbox.platform.tokens.revoke();
    calls.length = 0;
    await use();
    await expect.poll(() => calls).toContain(`${caller} SendMessage`);
    await refreshToken(sandbox.host);
  });
});

describe('an erasure', () => {
  it('deletes the events that a timeline keeps in items of their own, and store deletes what came in between', async () => {
    const { host, platform, endpoints } = sandbox;
    const naturalPersonId = await onboard('erased');
    for (let times = 1; times <= 5; times += 1)
      for (const status of ['SUSPENDED', 'ACTIVE'] as const) {
        await platform.clock.advance(1);
        platform.persons.changeStatus(naturalPersonId, status);
      }
    await expect.poll(() => platform.deliveries.waiting()).toBe(0);
    await waitUntilStored(host);
    calls.length = 0;
    expect((await request('DELETE', '/persons/erased')).status).toBe(204);
    expect(calls).toContain('erase-person DeleteItem');

    const key = { kind: 'natural-person', id: naturalPersonId } as const;
    const entry = { eventId: 'f'.repeat(64), receivedOn: '2026-01-01T00:00:00Z', effect: 'duplicate' } as const;
    await host.clients.dynamodb.send(
      new PutItemCommand({ TableName: endpoints.tables['entities'], Item: writeEvent(key, entry) }),
    );
    platform.persons.changeStatus(naturalPersonId, 'SUSPENDED');
    await expect.poll(() => calls).toContain('store DeleteItem');
  });

  it('has store erase what named a person before a late webhook says that the person is erased', async () => {
    const { host } = sandbox;
    await onboard('erased-early');
    expect((await request('DELETE', '/persons/erased-early')).status).toBe(204);
    const naturalPersonId = randomUUID();
    await deliver('CUSTOMER_NOTIFICATION', { customerId: randomUUID(), naturalPersonId });
    await waitUntilStored(host);
    calls.length = 0;
    await deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId, externalId: 'erased-early', status: 'ACTIVE' });
    await expect.poll(() => calls).toContain('store DeleteItem');
  });

  it('reads the pieces of undelivered webhooks that drain kept whole', async () => {
    const eventType = 'NATURAL_PERSON_NOTIFICATION';
    sandbox.platform.madeUpDeliveries.add({ count: 1, malformed: 1, eventType, status: 'ACTIVE' });
    await refreshToken(sandbox.host);
    await invoke('drain', {});
    await onboard('erased-later');
    calls.length = 0;
    expect((await request('DELETE', '/persons/erased-later')).status).toBe(204);
    expect(calls).toContain('erase-person GetItem events');
  });
});

describe('drain', () => {
  it('reads the webhook secret to recognize a webhook that failed at another URL', async () => {
    const eventType = 'TRANSFER_NOTIFICATION';
    const url = 'https://other.partner.example/hooks';
    sandbox.platform.madeUpDeliveries.add({ count: 1, malformed: 0, eventType, status: 'PROCESSED', url });
    await refreshToken(sandbox.host);
    calls.length = 0;
    await invoke('drain', {});
    expect(calls).toContain('drain GetSecretValue webhook-secret');
  });
});

describe('reconcile', () => {
  it('reads the latest webhooks of a verification to learn whose it is', async () => {
    const { host } = sandbox;
    const naturalPersonId = await onboard('of-verification');
    const identificationVerificationId = randomUUID();
    // Untimed, so that they leave the status open; and more of them than the row of an entity keeps.
    for (let times = 1; times <= 10; times += 1) {
      const verification = { identificationVerificationId, naturalPersonId, status: 'PENDING', times };
      await deliver('IDENTIFICATION_VERIFICATION_NOTIFICATION', { identificationVerification: verification });
    }
    await waitUntilStored(host);
    const timeline = `/entities/identification-verification/${identificationVerificationId}/timeline`;
    expect(JSON.parse(await (await request('GET', timeline)).text()).events).toHaveLength(10);
    await refreshToken(host);
    calls.length = 0;
    await invoke('reconcile', { mode: 'report' });
    expect(calls).toContain('reconcile GetItem events');
  });
});
