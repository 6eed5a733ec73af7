import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextVersion } from '#shared/aws/dynamodb.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { notAllowed } from '#shared/platform/profile/additional-fields.ts';
import { type AdvanceWorld, createAdvanceWorld } from '#test/functions/onboarding/advance/advance-world.ts';
import { byVideo, sampleRequest } from '#test/functions/onboarding/requests.ts';

const externalId = 'partner-1@example';
const onboardingId = onboardingIdOf(externalId);
const request = sampleRequest({ externalId });
const different = { ...request, person: { ...request.person, firstName: 'Erna' } };
let world: AdvanceWorld;

beforeEach(() => {
  world = createAdvanceWorld({ fails: {} });
});
/** A name that is not a field may be personal data, and the bus has more readers than the partner's own answer (promise 8). */
afterEach(() => {
  expect(world.written() + JSON.stringify(world.published())).not.toMatch(/Erika|Erna|Mustermann|@example/);
  world.close();
});

const eventOf = (detail: unknown, more: object = {}) => ({
  id: 'event-1',
  source: 'partner',
  'detail-type': 'OnboardingRequested',
  detail,
  ...more,
});

/** Hands these messages of the requests queue over. Gives the ids of those that come again: `0` is the first. */
async function take(...bodies: readonly (object | string)[]): Promise<readonly string[]> {
  const Records = bodies.map((body, index) => ({
    messageId: String(index),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: { ApproximateReceiveCount: '1' },
  }));
  const answer = await world.requestEvent({ Records });
  return (answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
}

const rejections = () => world.published().map(({ detail }) => JSON.parse(detail));
const stepNow = async () => (await world.load(externalId)).state.step;

function failDynamoDb(): void {
  world.watch((io) => {
    if (io.startsWith('save')) throw new Error('DynamoDB does not answer.');
  });
}

/** An onboarding of the request that has ended. */
async function end(step: 'CANCELED' | 'REJECTED'): Promise<void> {
  await take(eventOf(request));
  await world.platform.clock.advance(1);
  const row = await world.load(externalId);
  await world.store.save({
    ...row,
    version: row.version + 1,
    state: { ...row.state, step, since: '2026-11-21T08:00:00.500Z' },
  });
}

describe('OnboardingRequested on the bus', () => {
  it('is accepted as by the API, also twice, beside a message that is no request', async () => {
    const version = nextVersion(undefined, world.platform.clock.now());
    const other = sampleRequest({ externalId: 'partner-2@example' });
    const noRequest = eventOf(request, { 'detail-type': 'Erika' });
    expect(await take(eventOf(request), 'Erika', eventOf(other), noRequest, eventOf(request))).toEqual(['1', '3']);
    expect(await world.load(externalId)).toMatchObject({ version, state: { step: 'REQUESTED' } });
    expect(await world.load('partner-2@example')).toMatchObject({ version });
    expect(world.published()).toEqual([]);
  });

  it('comes again while DynamoDB fails', async () => {
    failDynamoDb();
    expect(await take(eventOf(request))).toEqual(['0']);
    world.watch(() => undefined);
    expect(await take(eventOf(request))).toEqual([]);
    expect(await stepNow()).toBe('REQUESTED');
  });

  it('fails while DynamoDB fails, and is accepted then, when Lambda holds the event from before the upgrade', async () => {
    failDynamoDb();
    await expect(world.requestEvent(eventOf(request))).rejects.toThrow();
    world.watch(() => undefined);
    expect(await world.requestEvent(eventOf(request))).toBeUndefined();
    expect(await stepNow()).toBe('REQUESTED');
  });
});

describe('OnboardingRejected on the bus', () => {
  it('has each field of an invalid request and what is wrong with it, and no name that is none', async () => {
    const { gender, ...person } = request.person;
    await take(eventOf({ ...request, person: { ...person, Mustermann: 1 }, Erika: 1 }));
    expect(rejections()).toEqual([
      {
        requestEventId: 'event-1',
        onboardingId,
        outcome: 'INVALID',
        problems: [
          { field: 'person.gender', reason: 'must be text' },
          { field: 'person.?', reason: notAllowed },
          { field: '?', reason: 'is not a field' },
        ],
      },
    ]);
  });

  it('names the mode of a request for a video call when the environment has no vendor for it', async () => {
    world.close();
    world = createAdvanceWorld({ fails: {}, settings: { externalVerifier: 'NONE' } });
    await take(eventOf({ ...request, identification: byVideo }));
    const reason = expect.stringContaining('Send supplied or none');
    expect(rejections()).toMatchObject([{ outcome: 'INVALID', problems: [{ field: 'identification.mode', reason }] }]);
  });

  it('has at most 100 problems, in less than a tenth of what an entry may hold', async () => {
    const name = (index: number) => `${'n'.repeat(58)}${index}`;
    const mainAddress = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [name(index), 1]));
    await take(eventOf({ ...request, person: { ...request.person, mainAddress } }));
    expect(rejections()).toMatchObject([{ outcome: 'INVALID', problems: { length: 100 } }]);
    expect(JSON.stringify(world.published()).length).toBeLessThan(25_600);
  });

  it('has the step and the remedy when the onboarding has other data, and names no onboarding without an externalId', async () => {
    for (const detail of [request, different, {}]) await take(eventOf(detail));
    await world.store.erase(onboardingId, await world.load(externalId));
    await take(eventOf(request));
    expect(rejections()).toMatchObject([
      { outcome: 'CONFLICT', step: 'REQUESTED', remedy: expect.any(String) },
      { outcome: 'INVALID' },
      { outcome: 'ERASED', onboardingId },
    ]);
    expect(rejections()[1]).not.toHaveProperty('onboardingId');
  });

  it('has the step at which the onboarding has ended', async () => {
    await end('REJECTED');
    await take(eventOf(request));
    expect(rejections()).toMatchObject([{ outcome: 'ENDED', step: 'REJECTED', remedy: expect.any(String) }]);
  });
});

describe('an OnboardingRequested event that comes after the end of its onboarding', () => {
  it.each([
    ['restarts nothing when it was made before the end', '2026-11-21T07:59:58Z', 'CANCELED'],
    ['restarts the onboarding when it was made in the second of the end', '2026-11-21T08:00:00Z', 'REQUESTED'],
    ['restarts the onboarding when EventBridge gives no time that can be read', 'yesterday', 'REQUESTED'],
  ])('%s', async (_, time, step) => {
    await end('CANCELED');
    await take(eventOf(request, { time }));
    expect(await stepNow()).toBe(step);
  });
});
