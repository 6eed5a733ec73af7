import { describe, expect, it } from 'vitest';
import { naturalPersonStatus, naturalPersonTransitions } from '#sandbox/platform/persons/natural-person-status.ts';
import { refusal } from '#test/sandbox/platform/platform-fixture.ts';
import { atStart, startPersons, type TestPersons } from './persons-fixture.ts';

const statusOf = async (persons: TestPersons, id: string) => (await persons.get(id)).body;

describe('sandbox platform: the checks of a new person (section 3.1)', () => {
  it.each([
    ['CREATED', 'CREATED'],
    ['REVIEW', 'CREATED'],
    ['REJECTED', 'CREATED'],
    ['INVALID', 'VALIDATION_ERROR'],
  ])('sets the status %s after checksAfter and notifies with %s', async (status, notificationType) => {
    const persons = startPersons({ settings: { checksAfter: 5, checkOutcomes: { [status]: 1 } } });
    const naturalPersonId = await persons.createdId();
    await persons.clock.advance(4.999);
    expect(await statusOf(persons, naturalPersonId)).toMatchObject({ naturalPersonStatus: 'RECEIVED' });
    await persons.clock.advance(0.001);
    const modifiedOn = '2026-11-21T08:00:05Z';
    expect(await statusOf(persons, naturalPersonId)).toMatchObject({ naturalPersonStatus: status, modifiedOn });
    expect(await persons.notified()).toMatchObject([{ naturalPersonId, status, modifiedOn, notificationType }]);
  });

  it('picks the result by the configured weights', async () => {
    const persons = startPersons({ settings: { checkOutcomes: { CREATED: 3, REVIEW: 1 } } });
    for (let number = 0; number < 100; number += 1) await persons.create({ externalId: String(number) });
    await persons.clock.advance(1);
    const reviewed = (await persons.notified()).filter(({ status }) => status === 'REVIEW');
    expect(reviewed.length).toBeGreaterThan(10);
    expect(reviewed.length).toBeLessThan(50);
  });
});

describe('sandbox platform: NATURAL_PERSON_NOTIFICATION (section 6)', () => {
  it('contains ids, status and times, and no other personal data', async () => {
    const persons = startPersons();
    const naturalPersonId = await persons.createdId();
    await persons.clock.advance(1);
    expect(await persons.notified()).toEqual([
      {
        naturalPersonId,
        externalId: 'partner-1',
        status: 'CREATED',
        createdOn: atStart,
        modifiedOn: '2026-11-21T08:00:01Z',
        notificationType: 'CREATED',
      },
    ]);
  });

  it('contains the reason for INVALID, which a GET does not return', async () => {
    const persons = startPersons({ settings: { checkOutcomes: { INVALID: 1 } } });
    const naturalPersonId = await persons.createdId();
    await persons.clock.advance(1);
    const validationError = { errorType: expect.any(String), description: expect.any(String) };
    expect(await persons.notified()).toEqual([
      expect.objectContaining({ status: 'INVALID', notificationType: 'VALIDATION_ERROR', validationError }),
    ]);
    expect((await persons.get(naturalPersonId)).body).not.toHaveProperty('validationError');
  });
});

describe('sandbox platform: status changes over the control API (section 3.1)', () => {
  it.each(['ACTIVE', 'REJECTED'] as const)(
    'lets a person that is %s change as the table of the sandbox says',
    async (from) => {
      const legal: readonly string[] = naturalPersonTransitions[from];
      const persons = startPersons();
      const naturalPersonId = await persons.madeId(from);
      const refused = naturalPersonStatus.options.filter((to) => !legal.includes(to));
      for (const to of refused)
        expect(await persons.setStatus(naturalPersonId, to), to).toEqual(refusal(409, 'CONFLICT', saying(legal)));
      expect(persons.statusOf(naturalPersonId)).toBe(from);
      for (const to of legal) {
        const id = await persons.madeId(from);
        expect(await persons.setStatus(id, to), to).toMatchObject({ status: 200 });
        expect(persons.statusOf(id)).toBe(to);
      }
    },
  );

  function saying(legal: readonly string[]) {
    return expect.stringMatching(legal.length === 0 ? /final/ : new RegExp(legal.join('.*')));
  }
});
