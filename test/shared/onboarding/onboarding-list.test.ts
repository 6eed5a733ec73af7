import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Position } from '#shared/aws/list/read-list.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';
import {
  createListOnboardings,
  createOnboardingStore,
  type OnboardingFilter,
} from '#shared/onboarding/onboarding-store.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { sampleOnboarding } from './sample-onboarding.ts';

const start = Date.parse('2026-02-01T00:00:00Z');
let emulators: Emulators;
let time = new Date(start);
let tables = 0;

beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
});
afterAll(() => emulators.close());

/** A table of its own: a list shows all that is in a table. */
async function newTable() {
  tables += 1;
  const tableName = await emulators.createTable('onboardings', `onboardings-${tables}`);
  const deps = { dynamodb: emulators.dynamodb, tableName, now: () => time };
  const store = createOnboardingStore(deps);
  const list = createListOnboardings(deps);

  /** Saves an onboarding so many milliseconds after the start. */
  async function create(externalId: string, step: OnboardingStep, at: number): Promise<string> {
    time = new Date(start + at);
    await store.create(sampleOnboarding(externalId, { step }));
    return onboardingIdOf(externalId);
  }

  /** The ids of all pages. */
  async function walk(filter: OnboardingFilter = {}, limit = 3): Promise<readonly string[]> {
    const ids: string[] = [];
    let after: Position | undefined;
    do {
      const { rows, next } = await list({ filter, limit, after });
      expect(rows.length).toBeLessThanOrEqual(limit);
      ids.push(...rows.map(({ onboardingId }) => onboardingId));
      after = next;
    } while (after !== undefined);
    return ids;
  }

  return { store, list, create, walk };
}

describe('the list of onboardings', () => {
  it.each([1, 2, 5])(
    'lists each onboarding once, newest first, of all steps and of one, on pages of %i',
    async (limit) => {
      const { create, walk } = await newTable();
      const steps = ['REQUESTED', 'CREATING_PERSON', 'STOPPED', 'COMPLETED'] as const;
      const created: { readonly id: string; readonly step: OnboardingStep }[] = [];
      for (let index = 0; index < 16; index += 1) {
        const step = steps[(index * 3) % 4] ?? 'REQUESTED';
        created.unshift({ id: await create(`partner-${index}`, step, index), step });
      }
      expect(await walk({}, limit)).toEqual(created.map(({ id }) => id));
      const creating = created.filter(({ step }) => step === 'CREATING_PERSON');
      expect(await walk({ step: 'CREATING_PERSON' }, limit)).toEqual(creating.map(({ id }) => id));
    },
  );

  it('lists those that changed within the times, both inclusive', async () => {
    const { create, walk } = await newTable();
    const ids: string[] = [];
    for (const at of [0, 1, 2, 3]) ids.push(await create(`partner-${at}`, 'STOPPED', at));
    const at = (milliseconds: number) => new Date(start + milliseconds).toISOString();
    expect(await walk({ updatedFrom: at(1), updatedTo: at(2) })).toEqual([ids[2], ids[1]]);
  });

  it('moves an onboarding that is saved to the front of its new step', async () => {
    const { create, walk, store } = await newTable();
    const moved = await create('partner-a', 'REQUESTED', 0);
    const other = await create('partner-b', 'STOPPED', 1);
    time = new Date(start + 2);
    await store.save({ ...sampleOnboarding('partner-a', { step: 'STOPPED' }), version: 2 });
    expect(await walk({ step: 'STOPPED' })).toEqual([moved, other]);
    expect(await walk({ step: 'REQUESTED' })).toEqual([]);
  });

  it('lists no onboarding twice that changes between two pages', async () => {
    const { create, list, store } = await newTable();
    for (const at of [0, 1, 2, 3]) await create(`partner-${at}`, 'REQUESTED', at);
    const first = await list({ filter: {}, limit: 2, after: undefined });
    time = new Date(start + 9);
    await store.save({ ...sampleOnboarding('partner-3'), version: 2 });
    await store.save({ ...sampleOnboarding('partner-0'), version: 2 });
    const second = await list({ filter: {}, limit: 2, after: first.next });
    expect(first.rows.map(({ onboardingId }) => onboardingId)).toEqual(['partner-3', 'partner-2'].map(onboardingIdOf));
    expect(second.rows.map(({ onboardingId }) => onboardingId)).toEqual([onboardingIdOf('partner-1')]);
  });

  it('lists stalled onboardings among those of their step', async () => {
    const { create, walk, store } = await newTable();
    const stalled = await create('partner-a', 'AWAITING_CHECKS', 0);
    const other = await create('partner-b', 'AWAITING_CHECKS', 1);
    time = new Date(start + 2);
    const state = { step: 'AWAITING_CHECKS', stalledOn: time.toISOString() } as const;
    await store.save({ ...sampleOnboarding('partner-a', state), version: 2 });
    for (const filter of [{}, { step: 'AWAITING_CHECKS' } as const])
      expect(await walk(filter)).toEqual([stalled, other]);
  });

  it('lists no onboarding that has expired, is erased, or is being erased', async () => {
    const { create, walk, store } = await newTable();
    await create('partner-c', 'COMPLETED', 0);
    await store.save({
      ...sampleOnboarding('partner-c', { step: 'COMPLETED' }),
      version: 2,
      erasingOn: time.toISOString(),
    });
    const erased = await create('partner-a', 'REQUESTED', 0);
    await create('partner-b', 'REQUESTED', 0);
    await store.erase(erased, sampleOnboarding('partner-a'));
    expect(await walk()).toEqual([onboardingIdOf('partner-b')]);
    time = new Date(sampleOnboarding('partner-b').expiresAt * 1_000);
    expect(await walk()).toEqual([]);
  });
});
