import { describe, expect, it } from 'vitest';
import { writeAsyncApi } from '#docs/generate/bus/write-asyncapi.ts';
import { breakingEventChanges } from '#tools/release/breaking-event-changes.ts';

const released = JSON.stringify(writeAsyncApi());

/** What breaks a consumer when this text of the document is replaced once. */
function changesAfter(find: string, replace: string): readonly string[] {
  if (!released.includes(find)) throw new Error(`The document does not contain ${find}.`);
  return breakingEventChanges(JSON.parse(released), JSON.parse(released.replace(find, replace)));
}

describe('the comparison of event contracts', () => {
  it.each([
    ['"address":"drawbridge-', '"address":"other-', 'channel bus: the address was drawbridge-{environment}'],
    ['"OrderUpdated":{"name"', '"OrderMoved":{"name"', 'OrderUpdated: the event is gone'],
    ['"reasonCodes":{', '"codes":{', 'NaturalPersonStatusChanged/detail/reasonCodes: is gone'],
  ])('reports a breaking change: %s becomes %s', (find, replace, expected) => {
    expect(changesAfter(find, replace)).toEqual([expect.stringContaining(expected)]);
  });

  it('reports no further field, because consumers ignore what they do not know', () => {
    expect(changesAfter('"reasonCodes":{', '"venue":{"type":"string"},"reasonCodes":{')).toEqual([]);
  });
});
