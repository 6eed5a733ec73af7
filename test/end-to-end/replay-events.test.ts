import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createInvocations } from '#sandbox/aws/invocations.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const transfers = 'TRANSFER_NOTIFICATION';
const canary = 'canary of a body';
let stacks: HostedStacks;

beforeAll(async () => {
  stacks = await startHostedStacks();
});
afterAll(() => stacks.host.close());

const replayAnswer = z.looseObject({
  replay: z.looseObject({}).optional(),
  byReason: z.unknown().optional(),
  byEventType: z.unknown().optional(),
  errorMessage: z.string().optional(),
});

/** Invokes replay over the control API, as an operator does on a laptop. */
async function invoke(request: object) {
  const answer = await createInvocations(() => stacks.host.functions).request('/functions/replay/invocations', {
    method: 'POST',
    body: JSON.stringify(request),
  });
  return { status: answer.status, body: replayAnswer.parse(await answer.json()) };
}

async function deliverAll(...webhooks: readonly (readonly [string, string])[]): Promise<void> {
  for (const [eventType, body] of webhooks) expect((await stacks.deliver(eventType, body)).status).toBe(200);
  await expect.poll(() => stacks.backlog('webhooks')).toBe(0);
}

async function idOf(eventType: string): Promise<string> {
  const event = (await stacks.events()).find((candidate) => candidate.eventType === eventType);
  return event?.eventId ?? '';
}

/** Changes the event to what a release that did not know its type would have stored. */
async function quarantine(eventId: string): Promise<void> {
  const { clients, blueprint } = stacks.host;
  await clients.dynamodb.send(
    new UpdateItemCommand({
      TableName: blueprint.tables.find(({ name }) => name === 'events')?.physicalName,
      Key: { eventId: { S: eventId } },
      UpdateExpression: 'SET quarantineReason = :reason, quarantineShard = :shard',
      ExpressionAttributeValues: { ':reason': { S: 'UNKNOWN_EVENT_TYPE' }, ':shard': { S: eventId.slice(0, 1) } },
    }),
  );
}

const inQuarantine = async () =>
  (await stacks.events()).filter((event) => event.quarantineReason !== undefined).map(({ eventType }) => eventType);

describe('replay', () => {
  it('counts quarantined events by reason and by event type, and rejects a replay that does not say which events', async () => {
    await deliverAll(
      ['NEW_NOTIFICATION', `{"a":"${canary}"}`],
      [transfers, `{"broken": "${canary}`],
      ['PARTNER_NOTIFICATION', '{}'],
    );
    await quarantine(await idOf('PARTNER_NOTIFICATION'));
    const counted = await invoke({});
    expect(counted).toMatchObject({ status: 200, body: { count: 3 } });
    expect(counted.body.byReason).toEqual({ UNKNOWN_EVENT_TYPE: 2, NOT_JSON: 1 });
    expect(counted.body.byEventType).toEqual({ NEW_NOTIFICATION: 1, PARTNER_NOTIFICATION: 1, [transfers]: 1 });
    expect(await invoke({ mode: 'replay' })).toMatchObject({
      status: 400,
      body: { errorMessage: expect.stringMatching(/^Say which events to replay/) },
    });
  });

  it.each([
    ['register', { mode: 'paln' }, /^Invoke register with/],
    ['register', { mode: 'apply', takeOver: ['UNKNOWN'] }, /^UNKNOWN cannot be taken over/],
    ['reconcile', {}, /^Invoke reconcile with/],
    ['replay', { mode: 'replay', since: 1 }, /^Invoke replay with/],
  ])('returns 400 with a correct example when %s is invoked with %j', async (name, event, message) => {
    const path = `/functions/${name}/invocations`;
    const init = { method: 'POST', body: JSON.stringify(event) };
    const answer = await createInvocations(() => stacks.host.functions).request(path, init);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      errorType: 'InvalidRequestError',
      errorMessage: expect.stringMatching(message),
    });
  });

  it('sends quarantined events to store again, which releases those with an event type that the profile now knows', async () => {
    const { body: counted } = await invoke({ reason: 'UNKNOWN_EVENT_TYPE' });
    expect((await invoke(counted.replay ?? {})).body).toEqual({ replayed: 2 });
    await expect.poll(inQuarantine).toEqual(expect.not.arrayContaining(['PARTNER_NOTIFICATION']));
    await expect.poll(() => stacks.backlog('webhooks')).toBe(0);
    expect((await inQuarantine()).toSorted()).toEqual(['NEW_NOTIFICATION', transfers]);
    expect((await invoke({})).body).toMatchObject({ count: 2 });
  });

  it('replays an event by its id, also one that is not quarantined if asked for all events', async () => {
    const eventIds = [await idOf('PARTNER_NOTIFICATION')];
    expect((await invoke({ mode: 'replay', eventIds })).body).toEqual({ replayed: 0 });
    expect((await invoke({ mode: 'replay', events: 'all', eventIds })).body).toEqual({ replayed: 1 });
    await expect.poll(() => stacks.backlog('webhooks')).toBe(0);
    expect(await stacks.backlog('webhooks-dlq')).toBe(0);
  });

  it('rejects a replay of more events than the operator has counted', async () => {
    const { body: counted } = await invoke({ receivedTo: '2999-01-01T00:00:00Z' });
    await deliverAll(['OTHER_NEW_NOTIFICATION', '{}']);
    const refused = await invoke({ ...counted.replay, receivedTo: '2999-01-01T00:00:00Z' });
    expect(refused.status).toBe(400);
    expect(refused.body.errorMessage).toMatch(/^There are 3 events by now, and 2 were expected: nothing was sent\./);
  });

  it('logs no part of a body', () => {
    const log = stacks.log.join('\n');
    expect(log).toContain('events replayed');
    expect(log).not.toContain(canary);
  });
});
