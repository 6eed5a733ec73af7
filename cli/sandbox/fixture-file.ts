import * as z from 'zod';

const fields = z.record(z.string(), z.unknown()).default({}).describe('Fields of the person, order or transfer');

const ofPerson = z.strictObject({
  name: z.string().min(1).optional(),
  person: z.string().min(1),
  lifeCycle: z.string(),
  set: fields,
});

/** A named set of persons with their orders and transfers. Each comes about by a life cycle of `drawbridge trigger --list`. */
export const fixtureFile = z
  .strictObject({
    persons: z.array(
      z.strictObject({
        name: z.string().min(1),
        lifeCycle: z.string().startsWith('person.').default('person.onboarded'),
        set: fields,
      }),
    ),
    orders: z.array(ofPerson.extend({ lifeCycle: z.string().startsWith('order.') })).default([]),
    transfers: z.array(ofPerson.extend({ lifeCycle: z.string().startsWith('transfer.') })).default([]),
  })
  .check(({ value: { persons, orders, transfers }, issues }) => {
    const names = new Set(persons.map(({ name }) => name));
    if (names.size < persons.length)
      issues.push({ code: 'custom', input: persons, path: ['persons'], message: 'has a name twice' });
    for (const [list, entries] of Object.entries({ orders, transfers }))
      for (const [index, { person }] of entries.entries())
        if (!names.has(person))
          issues.push({
            code: 'custom',
            input: person,
            path: [list, index, 'person'],
            message: `names no person of the file: ${person}`,
          });
  });

export type FixtureFile = z.output<typeof fixtureFile>;
