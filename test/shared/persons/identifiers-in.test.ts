import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifiersIn, personIdsIn, wordsIn } from '#shared/persons/event-subject.ts';

const idsOf = (text: string) => identifiersIn(Buffer.from(text));
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** The text as it stands in other JSON, so many times over. */
function nest(text: string, times: number): string {
  return times === 0 ? text : nest(JSON.stringify({ body: text }), times - 1);
}

describe('the search for ids of persons in a body', () => {
  const body = {
    naturalPersonId: 'p-1',
    identificationVerificationId: 'v-1',
    list: [{ personId: 7 }],
    PERSONID: 'p-2',
    orderId: 'o-1',
    person: 'two words',
  };

  it('finds ids in fields whose names end in person or verification, or in their ids, at any depth of texts', () => {
    for (const times of [0, 1, 3]) {
      expect(new Set(idsOf(nest(JSON.stringify(body), times)))).toEqual(new Set(['p-1', 'v-1', '7', 'p-2']));
      expect(new Set(personIdsIn(Buffer.from(nest(JSON.stringify(body), times))))).toEqual(
        new Set(['p-1', '7', 'p-2']),
      );
    }
  });

  it('finds UUIDs in every place, with the body cut anywhere around them', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(40), fc.nat(40), fc.string(), (times, before, after, text) => {
        const whole = nest(JSON.stringify({ before: text, any: [uuid.toUpperCase()], after: text }), times);
        const at = whole.indexOf(uuid.toUpperCase());
        expect(idsOf(whole.slice(Math.min(before, at), Math.max(at + uuid.length, whole.length - after)))).toContain(
          uuid,
        );
      }),
    );
  });

  it('finds no other ids when the body is not JSON', () => {
    expect(idsOf('{"naturalPersonId":"p-1","x":')).toEqual([]);
  });

  it('returns the first 100 ids', () => {
    const many = Array.from({ length: 130 }, (_, index) => ({ personId: `p${index}` }));
    expect([idsOf(JSON.stringify(many)).length, idsOf(JSON.stringify(many)).at(-1)]).toEqual([100, 'p99']);
    expect(idsOf(Array.from({ length: 130 }, () => crypto.randomUUID()).join())).toHaveLength(100);
  });

  // A scanner that goes back for each colon would take hours, and a walk that calls itself would run out of stack.
  it.each([
    ['spaces before each colon', `"personId"${' '.repeat(500)}:${' '.repeat(500)}`],
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['texts that never end', '"externalId":"\\"'],
    ['arrays in arrays', '['],
  ])('finds an id behind 1 MB of %s', (_, part) => {
    const text = `${part.repeat(Math.ceil(1_000_000 / part.length))} ${uuid}`;
    expect(idsOf(text)).toContain(uuid);
    expect(wordsIn(Buffer.from(text))).toContain(uuid);
  });

  it('finds an id below 100,000 arrays', () => {
    const depth = 100_000;
    expect(idsOf(`${'['.repeat(depth)}{"personId":"p-1"}${']'.repeat(depth)}`)).toEqual(['p-1']);
  });
});

describe('a word of a text that is not JSON', () => {
  it('stands between punctuation, quotes, backslashes and white space', () => {
    const text = '{\\"a\\":"4711", <b id=4712>partner-7@example.com</b>\n4713';
    expect([...wordsIn(Buffer.from(text))]).toEqual(['a', '4711', 'b', 'id', '4712', 'partner-7@example.com', '4713']);
  });
});
