import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { checkInput } from '#shared/platform/client/check-input.ts';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { countryCode, uuid, words } from '#shared/platform/fields/fields.ts';
import { errorOf, personId, saidBy } from './test-client.ts';

const schema = z.strictObject({
  name: words(),
  count: z.optional(z.number()),
  address: z.optional(z.strictObject({ country: countryCode })),
  list: z.optional(z.array(z.strictObject({ id: uuid }))),
});
const place = { operation: 'Do something', section: '2.4' };

async function problems(input: unknown): Promise<readonly string[]> {
  return (await errorOf(PlatformInputError, async () => checkInput(schema, input, place))).problems;
}

describe('section 2: what is sent is checked, and the error names field, rule and section', () => {
  it('returns the input that it checked', () => {
    expect(checkInput(schema, { name: 'a', address: { country: 'DE' } }, place)).toEqual({
      name: 'a',
      address: { country: 'DE' },
    });
  });

  it.each([
    ['a field that is missing', {}, ['name: must be text (section 2.4)']],
    ['a field of another kind', { name: 'a', count: '1' }, ['count: is missing or malformed (section 2.4)']],
    ['a field that cannot be written', { name: 'a', createdOn: 'x' }, ['createdOn: cannot be written (section 2.4)']],
    [
      'fields deeper down',
      { name: 'a', address: { country: 'XX', planet: 'x' }, list: [{ id: personId }, { id: 'x' }] },
      [
        'address.country: must be an ISO 3166-1 alpha-2 country code (section 2)',
        'address.planet: cannot be written (section 2.4)',
        'list.1.id: must be a UUID (section 2)',
      ],
    ],
    ['no object', 'x', ['the body: is missing or malformed (section 2.4)']],
    ['nothing', undefined, ['the body: is missing or malformed (section 2.4)']],
  ])('names the problem of an input with %s', async (_, input, expected) => {
    expect(await problems(input)).toEqual(expected);
  });

  it('names a single value by the given field', async () => {
    const error = await errorOf(PlatformInputError, async () => checkInput(uuid, 'x', { ...place, field: 'the id' }));
    expect(error.message).toBe('Do something: nothing was sent, fix: the id: must be a UUID (section 2)');
    expect(error).toMatchObject({ operation: 'Do something', isRetryable: false, name: 'PlatformInputError' });
  });

  it('leaves the value out of the message', async () => {
    const canary = 'Mustermann';
    const input = { name: [canary], count: canary, address: { country: canary }, list: [{ id: canary }], more: canary };
    const error = await errorOf(PlatformInputError, async () => checkInput(schema, input, place));
    expect(error.problems).toHaveLength(5);
    expect(saidBy(error)).not.toContain(canary);
    expect(error.cause).toBeUndefined();
  });
});
