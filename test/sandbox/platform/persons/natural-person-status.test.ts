import { describe, expect, it } from 'vitest';
import { refusal } from '#test/sandbox/platform/platform-fixture.ts';
import { legalPersonChanges, personStatuses } from './legal-changes.ts';
import { atStart, refusedFor, startPersons, type TestPersons } from './persons-fixture.ts';

const statusOf = async (persons: TestPersons, id: string) => (await persons.get(id)).body;
const hours = 3_600;

describe('3.1 the checks of a new person: RECEIVED becomes CREATED, REVIEW, INVALID or REJECTED', () => {
  it.each([
    ['CREATED', 'CREATED'],
    ['REVIEW', 'CREATED'],
    ['REJECTED', 'CREATED'],
    ['INVALID', 'VALIDATION_ERROR'],
  ])('is %s after checksAfter, and notified as %s', async (status, notificationType) => {
    const persons = startPersons({ settings: { checksAfter: 5, checkOutcomes: { [status]: 1 } } });
    const naturalPersonId = await persons.createdId();
    await persons.clock.advance(4.999);
    expect(await statusOf(persons, naturalPersonId)).toMatchObject({ naturalPersonStatus: 'RECEIVED' });
    await persons.clock.advance(0.001);
    const modifiedOn = '2026-11-21T08:00:05Z';
    expect(await statusOf(persons, naturalPersonId)).toMatchObject({ naturalPersonStatus: status, modifiedOn });
    expect(await persons.notified()).toMatchObject([{ naturalPersonId, status, modifiedOn, notificationType }]);
  });

  it('come to what the weights say', async () => {
    const persons = startPersons({ settings: { checkOutcomes: { CREATED: 3, REVIEW: 1 } } });
    for (let number = 0; number < 100; number += 1) await persons.create({ externalId: String(number) });
    await persons.clock.advance(1);
    const reviewed = (await persons.notified()).filter(({ status }) => status === 'REVIEW');
    expect(reviewed.length).toBeGreaterThan(10);
    expect(reviewed.length).toBeLessThan(50);
  });

  it('come to nothing else', async () => {
    const persons = startPersons();
    const body = { checkOutcomes: { ACTIVE: 1 } };
    expect((await persons.request('PATCH', '/control/settings', { body })).status).toBe(400);
  });

  it('change nothing where the person has gone another way', async () => {
    const persons = startPersons({ settings: { checkOutcomes: { REJECTED: 1 } } });
    const naturalPersonId = await persons.createdId();
    await persons.setStatus(naturalPersonId, 'CREATED');
    await persons.clock.advance(10);
    expect(await statusOf(persons, naturalPersonId)).toMatchObject({ naturalPersonStatus: 'CREATED' });
  });
});

describe('6 NATURAL_PERSON_NOTIFICATION', () => {
  it('has ids, status and times, and no other data of the person', async () => {
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

  it('has no externalId where the person has none', async () => {
    const persons = startPersons();
    await persons.create({ externalId: undefined });
    await persons.clock.advance(1);
    expect((await persons.notified())[0]).not.toHaveProperty('externalId');
  });

  it('says why the person is INVALID, which a GET does not', async () => {
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

describe('7 and 8 INVALID persons: kept for 48 hours, then purged and Not Found', () => {
  it('are there until then, and gone from then on', async () => {
    const persons = startPersons({ settings: { checksAfter: 0, checkOutcomes: { INVALID: 1 } } });
    const naturalPersonId = await persons.createdId();
    await persons.clock.advance(48 * hours - 0.001);
    expect(await persons.get(naturalPersonId)).toMatchObject({ status: 200, body: { naturalPersonStatus: 'INVALID' } });
    await persons.clock.advance(0.001);
    expect(await persons.get(naturalPersonId)).toEqual(refusal(404, 'NOT_FOUND', expect.any(String)));
    expect((await persons.send('GET', '/entities/natural-persons')).body).toMatchObject({ data: [] });
    expect((await persons.request('GET', `/control/natural-persons/${naturalPersonId}`)).status).toBe(404);
  });

  it('are purged also where it was you who made them INVALID', async () => {
    const persons = startPersons();
    const naturalPersonId = await persons.madeId('INVALID');
    await persons.clock.advance(48 * hours);
    expect((await persons.get(naturalPersonId)).status).toBe(404);
  });

  it.each(['REJECTED', 'DECEASED', 'BLOCKED', 'REVIEW'])('are no others: %s', async (status) => {
    const persons = startPersons();
    const naturalPersonId = await persons.madeId(status);
    await persons.clock.advance(1_000 * hours);
    expect(await statusOf(persons, naturalPersonId)).toMatchObject({ naturalPersonStatus: status });
  });

  it('are Not Found for whom they have a proxy, too', async () => {
    const persons = startPersons();
    const [representativeId, naturalPersonId] = [await persons.madeId(), await persons.madeId('INVALID')];
    await persons.proxy(representativeId, naturalPersonId);
    await persons.clock.advance(48 * hours);
    expect((await persons.update(representativeId, naturalPersonId, { naturalPersonUpdateData: {} })).status).toBe(404);
  });
});

describe('3.1 changes of the status over the control API: those of the table, and no others', () => {
  const cases = personStatuses.flatMap((from) => personStatuses.map((to) => [from, to] as const));

  it.each(cases)('%s to %s', async (from, to) => {
    const persons = startPersons();
    const naturalPersonId = await persons.madeId(from);
    const legal = legalPersonChanges[from] ?? [];
    const answer = await persons.setStatus(naturalPersonId, to);
    if (legal.includes(to))
      expect(answer).toMatchObject({ status: 200, body: { naturalPerson: { naturalPersonStatus: to } } });
    else expect(answer).toEqual(refusal(409, 'CONFLICT', saying(legal)));
    const isChanged = legal.includes(to);
    expect(await statusOf(persons, naturalPersonId)).toMatchObject({ naturalPersonStatus: isChanged ? to : from });
  });

  function saying(legal: readonly string[]) {
    return expect.stringMatching(legal.length === 0 ? /final/ : new RegExp(legal.join('.*')));
  }

  it('refuse a word that is no status', async () => {
    const persons = startPersons();
    expect(await persons.setStatus(await persons.madeId(), 'HAPPY')).toEqual(refusedFor('naturalPersonStatus'));
  });

  it('say why, where you say it', async () => {
    const persons = startPersons();
    const naturalPersonId = await persons.createdId();
    const validationError = { errorType: 'TAX_ID', description: 'The taxId is none.' };
    await persons.setStatus(naturalPersonId, 'INVALID', { validationError });
    expect(await persons.notified()).toMatchObject([{ status: 'INVALID', validationError }]);
  });

  it('let go on of itself what goes on of itself', async () => {
    const persons = startPersons();
    const naturalPersonId = await persons.createdId();
    await persons.setStatus(naturalPersonId, 'CREATED');
    await persons.setStatus(naturalPersonId, 'PENDING');
    await persons.clock.advance(1);
    expect(await statusOf(persons, naturalPersonId)).toMatchObject({ naturalPersonStatus: 'ACTIVE' });
  });
});

describe('verifiedOn: when the person first became ACTIVE', () => {
  it('is absent before, and stays afterwards', async () => {
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
