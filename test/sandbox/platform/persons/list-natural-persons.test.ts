import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { refusedFor, startPersons, type TestPersons } from './persons-fixture.ts';

const page = z.object({
  data: z.array(z.object({ naturalPersonId: z.string(), naturalPersonStatus: z.string() })),
  pagination: z.strictObject({ cursor: z.string(), limit: z.number() }),
});

async function list(persons: TestPersons, query = '') {
  const { data, pagination } = page.parse((await persons.send('GET', `/entities/natural-persons${query}`)).body);
  return { ids: data.map(({ naturalPersonId }) => naturalPersonId), pagination };
}

/** The ids of all pages, and how many pages there are. */
async function walk(persons: TestPersons, query: string) {
  const ids: string[] = [];
  for (let [cursor, pages] = ['', 1]; ; pages += 1) {
    const next = await list(persons, `${query}&cursor=${cursor}`);
    ids.push(...next.ids);
    cursor = next.pagination.cursor;
    if (cursor === '') return { ids, pages };
  }
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

  it('uses the parameter name of the platform profile (section 4.3)', async () => {
    const persons = startPersons({ profile: platformProfile.parse({ naturalPersonStatusParameter: 'state' }) });
    const blocked = await persons.madeId('BLOCKED');
    await persons.madeId('ACTIVE');
    expect((await list(persons, '?state=BLOCKED')).ids).toEqual([blocked]);
  });
});

describe('sandbox platform: 10,000 natural persons', () => {
  it('returns each person once, with and without a filter', async () => {
    const persons = startPersons({ settings: { checkOutcomes: { CREATED: 1, INVALID: 1 } } });
    const ids = new Set<string>();
    for (let number = 0; number < 10_000; number += 1)
      ids.add(persons.persons.create({ ...samplePerson, externalId: String(number) }).naturalPersonId);
    await persons.clock.advance(1);
    const all = await walk(persons, '?limit=100');
    expect(all.pages).toBe(100);
    expect(new Set(all.ids)).toEqual(ids);
    const created = await walk(persons, '?naturalPersonStatus=CREATED&limit=1000');
    await persons.clock.advance(48 * 3_600);
    expect(await walk(persons, '?limit=1000')).toEqual(created);
  });
});
