import { describe, expect, it } from 'vitest';
import { naturalPersonStatus, naturalPersonTransitions } from '#sandbox/platform/persons/natural-person-status.ts';
import { refusal } from '#test/sandbox/platform/platform-fixture.ts';
import { atStart, startPersons, type TestPersons } from './persons-fixture.ts';

const statusOf = async (persons: TestPersons, id: string) => (await persons.get(id)).body;
const hours = 3_600;

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

  it('changes nothing when the person has another status by then', async () => {
    const persons = startPersons({ settings: { checkOutcomes: { REJECTED: 1 } } });
    const naturalPersonId = await persons.createdId();
    await persons.setStatus(naturalPersonId, 'CREATED');
    await persons.clock.advance(10);
    expect(await statusOf(persons, naturalPersonId)).toMatchObject({ naturalPersonStatus: 'CREATED' });
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

  it('is sent for each change of the status', async () => {
    const persons = startPersons();
    const naturalPersonId = await persons.madeId('ACTIVE');
    await persons.setStatus(naturalPersonId, 'SUSPENDED');
    expect((await persons.notified()).map(({ status, notificationType }) => `${status} ${notificationType}`)).toEqual([
      'CREATED CREATED',
      'CREATED UPDATED',
      'PENDING UPDATED',
      'ACTIVE UPDATED',
      'SUSPENDED UPDATED',
    ]);
  });
});

describe('sandbox platform: INVALID persons are purged after 48 hours (sections 7 and 8)', () => {
  it.each(['REJECTED', 'DECEASED', 'BLOCKED', 'REVIEW'])('keeps a person that is %s', async (status) => {
    const persons = startPersons();
    const naturalPersonId = await persons.madeId(status);
    await persons.clock.advance(1_000 * hours);
    expect(await statusOf(persons, naturalPersonId)).toMatchObject({ naturalPersonStatus: status });
  });

  it('answers with 404 for a requestor with a proxy for a purged person', async () => {
    const persons = startPersons();
    const [representativeId, naturalPersonId] = [await persons.madeId(), await persons.madeId('INVALID')];
    await persons.proxy(representativeId, naturalPersonId);
    await persons.clock.advance(48 * hours);
    expect((await persons.update(representativeId, naturalPersonId, { naturalPersonUpdateData: {} })).status).toBe(404);
  });
});

describe('sandbox platform: status changes over the control API (section 3.1)', () => {
  it.each(naturalPersonStatus.options)(
    'lets a person that is %s change as the table of the sandbox says',
    async (from) => {
      const legal: readonly string[] = naturalPersonTransitions[from];
      for (const to of naturalPersonStatus.options) {
        const persons = startPersons();
        const naturalPersonId = await persons.madeId(from);
        const answer = await persons.setStatus(naturalPersonId, to);
        const isLegal = legal.includes(to);
        expect(answer, to).toEqual(
          isLegal ? expect.objectContaining({ status: 200 }) : refusal(409, 'CONFLICT', saying(legal)),
        );
        expect(persons.statusOf(naturalPersonId)).toBe(isLegal ? to : from);
      }
    },
  );

  function saying(legal: readonly string[]) {
    return expect.stringMatching(legal.length === 0 ? /final/ : new RegExp(legal.join('.*')));
  }

  it('sends the given validation error', async () => {
    const persons = startPersons();
    const naturalPersonId = await persons.createdId();
    const validationError = { errorType: 'TAX_ID', description: 'The taxId is none.' };
    await persons.setStatus(naturalPersonId, 'INVALID', { validationError });
    expect(await persons.notified()).toMatchObject([{ status: 'INVALID', validationError }]);
  });

  it('continues with the automatic next status', async () => {
    const persons = startPersons();
    const naturalPersonId = await persons.createdId();
    await persons.setStatus(naturalPersonId, 'CREATED');
    await persons.setStatus(naturalPersonId, 'PENDING');
    await persons.clock.advance(1);
    expect(await statusOf(persons, naturalPersonId)).toMatchObject({ naturalPersonStatus: 'ACTIVE' });
  });
});

describe('sandbox platform: verifiedOn', () => {
  it('is absent before the person is ACTIVE and constant afterwards', async () => {
    const persons = startPersons();
    expect((await persons.get(await persons.madeId('PENDING'))).body).not.toHaveProperty('verifiedOn');
    const naturalPersonId = await persons.madeId();
    const { verifiedOn } = persons.persons.get(naturalPersonId);
    expect(verifiedOn).toMatch(/^2026-11-21T08:00:00/);
    await persons.clock.advance(60);
    await persons.setStatus(naturalPersonId, 'SUSPENDED');
    await persons.setStatus(naturalPersonId, 'ACTIVE');
    expect((await persons.get(naturalPersonId)).body).toMatchObject({ verifiedOn });
  });
});
