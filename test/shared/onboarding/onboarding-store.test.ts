import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DuePosition } from '#shared/onboarding/onboarding-finder.ts';
import { dueShard, onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { sampleOnboarding } from './sample-onboarding.ts';

let emulators: Emulators;
let tableName: string;
let time: Date;
let serial = 0;
/** An externalId that no other test knows. */
let externalId: string;

beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
  tableName = await emulators.createTable('onboardings', 'onboardings');
});
afterAll(() => emulators.close());
beforeEach(() => {
  serial += 1;
  externalId = `partner-${serial}`;
  time = new Date('2026-02-01T00:00:00Z');
});
afterEach(() => emulators.unwatch());

const store = () => createOnboardingStore({ dynamodb: emulators.dynamodb, tableName, now: () => time });
const row = (state: Partial<OnboardingState> = {}) => sampleOnboarding(externalId, state);
const expire = () => {
  time = new Date(row().expiresAt * 1_000);
};

describe('creating an onboarding', () => {
  it('creates one onboarding of two that come concurrently', async () => {
    const created = await Promise.all([store().create(row()), store().create({ ...row(), data: {} })]);
    expect(created.toSorted()).toEqual([false, true]);
  });

  it('has the onboarding loaded as it was created', async () => {
    await store().create(row());
    expect(await store().load(row().onboardingId)).toEqual(row());
    expect(await store().load(onboardingIdOf('nobody'))).toBeUndefined();
  });
});

describe('saving an onboarding under the version that was read', () => {
  it('lets one of two concurrent writers save', async () => {
    await store().create(row());
    const saved = await Promise.all([
      store().save({ ...row(), version: 2, data: {} }),
      store().save({ ...row(), version: 2, outbox: [] }),
    ]);
    expect(saved.toSorted()).toEqual([false, true]);
  });

  it('saves nothing that is not there', async () => {
    expect(await store().save({ ...row(), version: 2 })).toBe(false);
    expect(await store().load(row().onboardingId)).toBeUndefined();
  });
});

describe('an onboarding that has expired', () => {
  it('is not loaded, and leaves its externalId free', async () => {
    await store().create(row());
    expire();
    expect(await store().load(row().onboardingId)).toBeUndefined();
    expect(await store().create({ ...row(), expiresAt: row().expiresAt + 1_000 })).toBe(true);
  });
});

describe('erasing an onboarding', () => {
  it('leaves a record without personal data', async () => {
    await store().create(row({ naturalPersonId: externalId }));
    expect(await store().erase(row().onboardingId, row())).toBe(true);
    expect(await store().load(row().onboardingId)).toEqual({
      onboardingId: row().onboardingId,
      version: 2,
      erasedOn: time.toISOString(),
      acceptedOn: row().state.acceptedOn,
      step: 'REQUESTED',
    });
    expect(await store().findByPerson(externalId)).toBeUndefined();
  });

  it('refuses a writer that read the onboarding before, and the same request again', async () => {
    await store().create(row());
    await store().erase(row().onboardingId, row());
    expect(await store().save({ ...row(), version: 2 })).toBe(false);
    expect(await store().create(row())).toBe(false);
    expire();
    expect(await store().create({ ...row(), expiresAt: row().expiresAt + 1_000 })).toBe(false);
  });

  it('erases an onboarding that never was, or whose time was over, and does so once', async () => {
    expect(await store().erase(row().onboardingId, undefined)).toBe(true);
    expect(await store().erase(row().onboardingId, undefined)).toBe(false);
    expect(await store().load(row().onboardingId)).toMatchObject({ version: 1, step: undefined });
    const other = sampleOnboarding(`${externalId}-other`);
    await store().create(other);
    time = new Date(other.expiresAt * 1_000);
    await store().erase(other.onboardingId, undefined);
    expect(await store().load(other.onboardingId)).toHaveProperty('erasedOn');
  });

  it('erases nothing when the onboarding was created or saved since it was read', async () => {
    await store().create(row());
    await store().save({ ...row(), version: 2 });
    for (const read of [undefined, row()]) expect(await store().erase(row().onboardingId, read)).toBe(false);
    expect(await store().load(row().onboardingId)).toMatchObject({ version: 2, state: row().state });
  });
});

describe('finding the onboarding of an event', () => {
  it('finds the onboarding by its person, and by its verification', async () => {
    const [naturalPersonId, identificationVerificationId] = [`${externalId}-p`, `${externalId}-v`];
    await store().create(row({ naturalPersonId, identificationVerificationId }));
    expect(await store().findByPerson(naturalPersonId)).toBe(row().onboardingId);
    expect(await store().findByVerification(identificationVerificationId)).toBe(row().onboardingId);
    expect(await store().findByPerson(identificationVerificationId)).toBeUndefined();
  });
});

describe('finding the onboardings that are due', () => {
  it('lists in pages what is due, the earliest first, and nothing that is not due', async () => {
    const due = ['2026-01-03T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', undefined];
    const rows = due.map((dueOn, index) => sampleOnboarding(`${externalId}-${index}`, { dueOn }));
    for (const one of rows) await store().create(one);
    const listed: string[] = [];
    for (let start: DuePosition | undefined, isFirst = true; isFirst || start !== undefined; isFirst = false) {
      const page = await store().listDue(dueShard, { by: time, most: 1, start });
      listed.push(...page.onboardingIds);
      start = page.next;
    }
    const ours = new Set(rows.map(({ onboardingId }) => onboardingId));
    expect(listed.filter((id) => ours.has(id))).toEqual([rows[1]?.onboardingId, rows[0]?.onboardingId]);
  });
});
