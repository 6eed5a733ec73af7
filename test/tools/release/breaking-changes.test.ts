import { describe, expect, it } from 'vitest';
import { breakingChanges } from '#tools/release/breaking-changes.ts';
import { contractProblems, readCurrent } from '#tools/release/release-contracts.ts';

const original = readCurrent('openapi.json');

/** The document with a text replaced once. */
function changed(find: string, replace: string): unknown {
  const text = JSON.stringify(original);
  if (!text.includes(find)) throw new Error(`The document does not contain ${find}.`);
  return JSON.parse(text.replace(find, replace));
}

describe('the contracts of the API and the bus, compared with each release', () => {
  it('have only the breaking changes that are meant', () => {
    expect(contractProblems('no release', readCurrent)).toEqual([]);
  });
});

describe('a breaking change', () => {
  const step = '"name":"step","in":"query","description":"Only onboardings at this step.",';

  it.each([
    ['an operation is gone', '"get":{"operationId":"getEntity"', '"put":{"operationId":"getEntity"', 'is gone'],
    ['a parameter is required', `${step}"required":false`, `${step}"required":true`, 'the parameter step is required'],
    ['a request loses a member', '"redirectUrl":{"type":"string"}', '"returnUrl":{"type":"string"}', 'redirectUrl'],
    ['an answer has a new word', '"enum":["N/A","COMPLETED"', '"enum":["N/A","REVERSED","COMPLETED"', 'REVERSED'],
  ])('is reported when %s', (_, find, replace, expected) => {
    expect(breakingChanges(original, changed(find, replace)).join('\n')).toContain(expected);
  });
});

it.each([
  ['openapi.json', { paths: {} }, 'GET /events: is gone'],
  ['asyncapi.json', { channels: {}, components: { messages: {} } }, 'OrderUpdated: the event is gone'],
] as const)('refuses to keep a release whose %s lacks what an earlier release has', (name, document, expected) => {
  const problems = contractProblems('no release', (other) => (other === name ? document : readCurrent(other)));
  expect(problems).toContainEqual(expect.stringContaining(expected));
});

describe('a compatible change', () => {
  const ref = (name: string) => `{"$ref":"#/components/schemas/${name}Problem"}`;

  it.each([
    ['a member that an answer gains', '"toReadBack":{', '"readOn":{"type":"string"},"toReadBack":{'],
    ['a problem type that an operation gains', `[${ref('InvalidId')}`, `[${ref('PersonErased')},${ref('InvalidId')}`],
  ])('is not reported: %s', (_, find, replace) => {
    expect(breakingChanges(original, changed(find, replace))).toEqual([]);
  });
});

it('refuses a keyword that it does not know, because the comparison would miss its changes', () => {
  const unknown = changed('"maxLength":255', '"multipleOf":2');
  expect(() => breakingChanges(original, unknown)).toThrow('The comparison of schemas does not know');
});
