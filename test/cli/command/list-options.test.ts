import { expect, it } from 'vitest';
import { moment, resolveMoments } from '#cli/command/list-options.ts';

const deps = {
  now: () => new Date('2026-01-02T00:00:00Z'),
  fetch: async () => Response.json({ now: '2026-02-02T00:00:00Z', isFrozen: false }),
};

it.each([
  ['of AWS', undefined, '2026-01-01T22:00:00.000Z'],
  ['of the sandbox, which is ahead,', 'http://localhost:1', '2026-02-01T22:00:00.000Z'],
])('counts 2h from the clock %s and leaves a time as it is', async (_, control, from) => {
  const options = { from: moment('2h'), until: moment('2026-01-31T08:00:00Z'), limit: 1 };
  expect(await resolveMoments(options, { control }, deps)).toEqual({
    from,
    until: '2026-01-31T08:00:00.000Z',
    limit: 1,
  });
});

it('refuses a text that is no time', () => {
  expect(() => moment('yesterday')).toThrow('must be a time');
});
