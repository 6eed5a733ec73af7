import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OnboardingRequest } from '#functions/onboarding/onboarding-request.ts';
import { type Emulators, startEmulators } from '#test/shared/emulators.ts';
import { createOnboardingsTable } from '#test/shared/onboardings-table.ts';
import { createOnboardingWorld, type World, type WorldOptions } from './onboarding-world.ts';
import { bornRecently, byVideo, notAtAll, sampleRequest, supplied } from './requests.ts';

let emulators: Emulators;
let tableName: string;
let world: World;
let serial = 0;

beforeAll(async () => {
  emulators = await startEmulators();
  tableName = await createOnboardingsTable(emulators.dynamodb, 'onboardings');
});
afterAll(() => emulators.close());
afterEach(async () => {
  await world.close();
  expect(world.errors).toEqual([]);
});

const recently = { identificationDate: '2026-10-01' };
const identifications = {
  video: byVideo,
  supplied: { ...supplied, ...recently },
  'supplied, of a minor': { ...bornRecently, ...recently },
  none: notAtAll,
} as const;

type Options = Omit<WorldOptions, 'emulators' | 'tableName'>;

/** A platform on which a person may identify itself, and whose video calls end of themselves. */
const open = { acceptSelfBeforeActive: true, videoCallsAfter: 120 };

async function start(options: Options = {}): Promise<World> {
  world = await createOnboardingWorld({ emulators, tableName, ...options, platform: { ...open, ...options.platform } });
  return world;
}

/** A request of somebody whom no other test knows. */
function requestOf(more: Partial<OnboardingRequest> = {}): OnboardingRequest {
  serial += 1;
  return sampleRequest({ externalId: `partner-${serial}`, identification: identifications.video, ...more });
}

const detailTypes = () => world.published.map(({ detailType }) => detailType);
const verificationsOf = (naturalPersonId: string) => world.platform.verifications.of(naturalPersonId);

/** What the platform ended up with, of one onboarding. */
async function outcomeOf({ externalId }: OnboardingRequest) {
  const { state, data } = await world.load(externalId);
  const persons = world.persons().filter((person) => person.externalId === externalId);
  const { naturalPersonId = '' } = state;
  return {
    step: state.step,
    persons: persons.length,
    verifications: verificationsOf(naturalPersonId).length,
    identifications: persons[0]?.naturalPersonIdentifications.length,
    data,
  };
}

describe('issue 6: a person goes from a form to an active customer, without anyone watching', () => {
  it('by video', async () => {
    const request = requestOf();
    await start();
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toEqual({
      step: 'COMPLETED',
      persons: 1,
      verifications: 1,
      identifications: 1,
      data: {},
    });
    expect(detailTypes().filter((type) => type !== 'OnboardingProgressed')).toEqual([
      'OnboardingAccepted',
      'OnboardingIdentificationReady',
      'OnboardingCompleted',
    ]);
    const [verification] = verificationsOf((await world.load(request.externalId)).state.naturalPersonId ?? '');
    const ready = world.published.find(({ detailType }) => detailType === 'OnboardingIdentificationReady');
    expect(ready?.detail).toMatchObject({ identificationUrl: verification?.identificationUrl });
  });

  it.each(['supplied', 'supplied, of a minor'] as const)('by what the partner supplies: %s', async (mode) => {
    // A PENDING person becomes ACTIVE without anything else: only somebody who is not of age needs no CREATED → PENDING.
    const request = requestOf({ identification: identifications[mode] });
    await start();
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({
      step: 'COMPLETED',
      persons: 1,
      verifications: 0,
      identifications: 1,
      data: {},
    });
  });

  it('not at all, where the platform needs none', async () => {
    const request = requestOf({ identification: notAtAll });
    await start();
    await world.accept(request);
    await world.runTo(request.externalId, 'AWAITING_ACTIVATION');
    const { naturalPersonId = '' } = (await world.load(request.externalId)).state;
    for (const status of ['PENDING', 'ACTIVE'] as const) world.platform.persons.changeStatus(naturalPersonId, status);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, identifications: 0, data: {} });
  });

  it('though every webhook is lost', async () => {
    const request = requestOf();
    await start({ losesWebhooks: true });
    await world.accept(request);
    await world.runToEnd(request.externalId);
    expect(await outcomeOf(request)).toMatchObject({ step: 'COMPLETED', persons: 1, verifications: 1 });
  });
});
