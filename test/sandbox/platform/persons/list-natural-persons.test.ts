import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { refusedFor, startPersons, type TestPersons } from './persons-fixture.ts';

const page = z.object({
  data: z.array(z.object({ naturalPersonId: z.string(), naturalPersonStatus: z.string() })),
  pagination: z.strictObject({ cursor: z.string(), limit: z.number() }),
});

async function list(persons: TestPersons, query = '') {
  const { data, pagination } = page.parse((await persons.send('GET', `/entities/natural-persons${query}`)).body);
  return { ids: data.map(({ naturalPersonId }) => naturalPersonId), pagination };
}

async function make(persons: TestPersons, count: number, status: string) {
  return Array.fromAsync({ length: count }, () => persons.madeId(status));
}

describe('sandbox platform: Get natural persons (section 4)', () => {
  it('returns every lasting person once while others are created and purged', async () => {
    const persons = startPersons();
    const [invalid, others] = [await make(persons, 3, 'INVALID'), await make(persons, 3, 'ACTIVE')];
    const first = await list(persons, '?limit=2');
    expect(first.ids).toEqual(invalid.slice(0, 2));
    await persons.clock.advance(48 * 3_600);
    const late = await persons.madeId();
    expect((await list(persons, `?cursor=${first.pagination.cursor}`)).ids).toEqual([...others, late]);
  });
});

describe('sandbox platform: Get natural persons by status (section 4)', () => {
  it('follows changes of the status', async () => {
    const persons = startPersons();
    const naturalPersonId = await persons.madeId();
    await persons.setStatus(naturalPersonId, 'SUSPENDED');
    expect((await list(persons, '?naturalPersonStatus=ACTIVE')).ids).toEqual([]);
    expect((await list(persons, '?naturalPersonStatus=SUSPENDED')).ids).toEqual([naturalPersonId]);
  });

  it('rejects an unknown status', async () => {
    const persons = startPersons();
    const answer = await persons.send('GET', '/entities/natural-persons?naturalPersonStatus=HAPPY');
    expect(answer).toEqual(refusedFor('naturalPersonStatus'));
  });
});
