import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { createEventStore } from '#shared/events/event-store.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { size } from '#test/full-size.ts';
import { type AdvanceWorld, createAdvanceWorld } from '#test/functions/onboarding/advance/advance-world.ts';
import { buildErasure } from '#test/functions/onboarding/erase-person/build-erasure.ts';
import { notAtAll, sampleRequest } from '#test/functions/onboarding/requests.ts';
import { createTestPersons } from '#test/shared/events/test-stores.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';

let world: AdvanceWorld;
let erasePerson: ReturnType<typeof buildErasure>;
let serial = 0;

beforeAll(() => {
  world = createAdvanceWorld({ fails: {} });
  const dynamodb = world.dynamodb as DynamoDBClient;
  const { now } = world.platform.clock;
  const eventStore = createEventStore({ dynamodb, tableName: 'events', retentionDays: 30, now });
  const entityStore = createEntityStore({
    dynamodb,
    tableName: 'entities',
    rules: entityRules,
    now,
    random: () => 0,
    wait: async () => undefined,
  });
  const persons = createTestPersons({ dynamodb, tableNameOf: (name) => name }, { eventStore, entityStore, now });
  const onboardingStore = createOnboardingStore({ dynamodb, tableName: 'onboardings', now });
  erasePerson = buildErasure({ onboardingStore, persons, now, ...captureLines(now) });
});
afterAll(() => world.close());

/** A person whose onboarding was canceled: undefined if it had not come as far as the platform. */
async function canceled(isKnown: boolean): Promise<OnboardingRequest> {
  serial += 1;
  const request = sampleRequest({ externalId: `partner-${serial}`, identification: notAtAll });
  await world.accept(request);
  if (isKnown) await world.work();
  await world.operate('cancel', onboardingIdOf(request.externalId));
  await world.work();
  return request;
}

const erase = (externalId: string, naturalPersonId?: string) =>
  erasePerson({
    routeKey: 'DELETE /persons/{externalId}',
    pathParameters: { externalId },
    ...(naturalPersonId !== undefined && { queryStringParameters: { naturalPersonId } }),
  });
const differing = (request: OnboardingRequest) => ({
  ...request,
  person: { ...request.person, profession: `profession ${serial}` },
});

/** What restarts an onboarding: each says whether the onboarding was restarted. */
const restarts: Readonly<Record<string, (request: OnboardingRequest) => Promise<boolean>>> = {
  'a request with other data': async (request) =>
    (await world.ask('POST /onboardings', { body: differing(request) })).status === 202,
  'a request on the bus': async (request) => {
    const rejected = () => world.published().filter(({ detailType }) => detailType === 'OnboardingRejected').length;
    const before = rejected();
    await world.requestEvent({ id: 'event', 'detail-type': 'OnboardingRequested', detail: differing(request) });
    return rejected() === before;
  },
};

const ignore = () => undefined;

/** Runs `other` in the midst of `work`, at the nth I/O of `work`. Says whether `work` had so many. */
async function interleave<Result>(
  nth: number,
  when: 'before' | 'after',
  other: () => Promise<unknown>,
  work: () => Promise<Result>,
) {
  let calls = 0;
  const count = async () => {
    calls += 1;
    if (calls !== nth) return;
    world.watch(ignore);
    await other();
  };
  world.watch(when === 'before' ? count : ignore, when === 'after' ? count : ignore);
  const result = await work();
  world.watch(ignore);
  return { result, happened: calls >= nth };
}

/** The restart is there and the erasure says 409, or the erasure is done and the restart was refused. */
async function checkAgreement(request: OnboardingRequest, wasRestarted: boolean, status: number) {
  const row = await world.store.load(onboardingIdOf(request.externalId));
  const isGone = row !== undefined && isErased(row);
  expect({ status, isGone }).toEqual(wasRestarted ? { status: 409, isGone: false } : { status: 204, isGone: true });
  if (!wasRestarted) return;
  await world.work();
  expect(await erase(request.externalId)).toMatchObject({
    statusCode: 409,
    body: expect.stringContaining('Cancel the onboarding'),
  });
  await world.operate('cancel', onboardingIdOf(request.externalId));
  await world.work();
  expect(await erase(request.externalId)).toEqual({ statusCode: 204 });
}

const moments = (['before', 'after'] as const).flatMap((when) =>
  [true, false].map((isKnown) => [when, isKnown ? 'knows its person' : 'knows no person', isKnown] as const),
);

describe.each(Object.keys(restarts))('an erasure during which %s comes', (name) => {
  const restart = (request: OnboardingRequest) => (restarts[name] ?? restarts['a request with other data'])?.(request);

  it.each(moments)(
    'answers 409 or keeps the restart away, %s each of its calls, where the onboarding %s',
    async (when, _, isKnown) => {
      const outcomes = new Set<boolean>();
      for (let nth = 1; ; nth += size(2, 1)) {
        const request = await canceled(isKnown);
        let wasRestarted = false;
        const { result, happened } = await interleave(
          nth,
          when,
          async () => {
            wasRestarted = (await restart(request)) === true;
          },
          () => erase(request.externalId),
        );
        if (!happened) break;
        outcomes.add(wasRestarted);
        await checkAgreement(request, wasRestarted, result.statusCode);
      }
      expect(outcomes).toEqual(new Set([true, false]));
    },
  );

  it.each(moments)(
    'answers 409 or keeps the restart away, %s each call of the restart, where the onboarding %s',
    async (when, _, isKnown) => {
      const outcomes = new Set<boolean>();
      for (let nth = 1; ; nth += size(2, 1)) {
        const request = await canceled(isKnown);
        let status = 0;
        const { result, happened } = await interleave(
          nth,
          when,
          async () => {
            status = (await erase(request.externalId)).statusCode;
          },
          async () => restart(request),
        );
        if (!happened) break;
        outcomes.add(result === true);
        await checkAgreement(request, result === true, status);
      }
      expect(outcomes).toContain(false);
    },
  );

  it.each(['before', 'after'] as const)(
    'leaves no restart behind that was accepted, once it is repeated after it ended %s any of its calls',
    async (when) => {
      for (let nth = 1; ; nth += size(2, 1)) {
        const request = await canceled(true);
        const crash = () => Promise.reject(new Error('The function ends.'));
        const { result, happened } = await interleave(nth, when, crash, () =>
          erase(request.externalId).catch(() => undefined),
        );
        if (!happened) break;
        expect(result).toBeUndefined();
        const wasRestarted = (await restart(request)) === true;
        await checkAgreement(request, wasRestarted, (await erase(request.externalId)).statusCode);
      }
    },
  );
});

describe('an erasure of a person whom no onboarding knows', () => {
  it('answers 409 or keeps the first request away, before each of its calls', async () => {
    for (let nth = 1; ; nth += size(2, 1)) {
      serial += 1;
      const request = sampleRequest({ externalId: `partner-${serial}`, identification: notAtAll });
      let wasAccepted = false;
      const { result, happened } = await interleave(
        nth,
        'before',
        async () => {
          wasAccepted = (await world.ask('POST /onboardings', { body: request })).status === 202;
        },
        () => erase(request.externalId, `person-${serial}`),
      );
      if (!happened) break;
      await checkAgreement(request, wasAccepted, result.statusCode);
    }
  });
});

describe('an onboarding whose erasure has begun and not ended', () => {
  /** Ends the erasure after its first write. */
  async function begun(): Promise<OnboardingRequest> {
    const request = await canceled(true);
    world.watch(ignore, (io) => {
      if (io.startsWith('save')) throw new Error('The function ends.');
    });
    await expect(erase(request.externalId)).rejects.toThrow();
    world.watch(ignore);
    return request;
  }

  const refusal = /"status":409.*Send DELETE \/persons\/\{externalId\} until/;

  it('answers 409 with the remedy to a request, with the same data and with other data', async () => {
    const request = await begun();
    for (const body of [request, differing(request)])
      expect(JSON.stringify(await world.ask('POST /onboardings', { body }))).toMatch(refusal);
  });

  it('answers 409 with the remedy to a retry', async () => {
    const { externalId } = await begun();
    expect(JSON.stringify(await world.ask('POST /onboardings/{externalId}/retry', { externalId }))).toMatch(refusal);
  });
});
