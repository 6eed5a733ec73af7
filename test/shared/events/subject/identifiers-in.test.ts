import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifiersIn } from '#shared/events/subject/identifiers-in.ts';

const namesOf = (text: string) => identifiersIn(Buffer.from(text));
const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** The text as it stands in other JSON, so many times over. */
function nest(text: string, times: number): string {
  return times === 0 ? text : nest(JSON.stringify({ body: text }), times - 1);
}

describe('the names of persons in a body', () => {
  it('are found in fields whose names end in personId or verificationId', () => {
    const body = {
      naturalPersonId: 'p-1',
      identificationVerificationId: 'v-1',
      personId: 7,
      PERSONID: 'p-2',
      orderId: 'o-1',
    };
    expect(namesOf(JSON.stringify(body)).ids).toEqual(['p-1', 'v-1', '7', 'p-2']);
  });

  it.each([
    ['white space around its colon', '{"personId" \n\t:\r\n "p-1"}'],
    ['escaped white space around its colon', '{\\"personId\\"\\n :\\t \\"p-1\\"}'],
    ['a value that is cut off', '{"personId":"p-1'],
    ['a beginning that is cut off', 'e","x":"y","personId":"p-1"}'],
    ['what is no JSON around it', '<a>"personId":"p-1"</a>'],
  ])('are found with %s', (_, text) => {
    expect(namesOf(text).ids).toEqual(['p-1']);
  });

  it.each(['"personId"', '"personId" "p-1"', 'personId:"p-1"', '"personId":"', '"personId":-', ':', '":"p-1"'])(
    'are not found in %s',
    (text) => {
      expect(namesOf(text)).toEqual({ ids: [], externalIds: [] });
    },
  );

  it('are found as UUIDs in every place', () => {
    expect(namesOf(`x${uuid.toUpperCase()} ${uuid}`).ids).toEqual([uuid]);
  });

  it('are the first 100 of each kind', () => {
    const many = Array.from({ length: 130 }, (_, index) => ({ personId: `p${index}`, externalId: `e${index}` }));
    const { ids, externalIds } = namesOf(JSON.stringify(many));
    expect([ids.length, ids.at(-1), externalIds.length, externalIds.at(-1)]).toEqual([100, 'p99', 100, 'e99']);
  });

  it.each(['"externalId":"e', '"externalId":7', '"externalId":"\\x"', '"externalId":"a\nb"', '\\"externalId\\":\\"e"'])(
    'are no externalIds in %j',
    (text) => {
      expect(namesOf(text).externalIds).toEqual([]);
    },
  );

  // A scanner that goes back for each colon would take hours.
  it.each([
    ['spaces before each colon', `"personId"${' '.repeat(500)}:${' '.repeat(500)}`],
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['externalIds that never end', '"externalId":"\\"'],
  ])('are found behind 1 MB of %s', (_, part) => {
    const text = `${part.repeat(Math.ceil(1_000_000 / part.length))} ${uuid}`;
    expect(namesOf(text).ids).toContain(uuid);
  });

  it('are any externalIds at any depth of texts, with the body cut anywhere around them', () => {
    const values = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.constantFrom('\\', '"', '\\"', '\\\\', 'a\\'),
    );
    fc.assert(
      fc.property(values, fc.nat(3), fc.nat(30), fc.string(), (externalId, times, cut, before) => {
        const text = nest(JSON.stringify({ before, externalId, after: before }, null, 1), times);
        const at = text.search(/\\*"externalId/);
        expect(namesOf(text.slice(Math.min(cut, at))).externalIds).toContain(externalId);
      }),
    );
  });
});
