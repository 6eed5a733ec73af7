import { describe, expect, it } from 'vitest';
import { readCursor, writeCursor } from '#shared/aws/list/list-cursor.ts';

const position = { at: '2026-01-02T03:04:05.678Z', id: 'order#a' };
const list = { list: 'onboardings', step: 'STOPPED', updatedTo: undefined };

describe('a cursor', () => {
  it('is read as it was written, in the order and with the parameters of the same filter', () => {
    expect(readCursor(writeCursor(position, list), { step: 'STOPPED', list: 'onboardings' })).toEqual(position);
  });

  it.each([
    ['another list', writeCursor(position, { ...list, list: 'events' })],
    ['another filter', writeCursor(position, { ...list, step: 'FAILED' })],
    ['a filter with more', writeCursor(position, { ...list, updatedTo: position.at })],
    ['no page', 'Erika'],
    ['a place without a time', Buffer.from('{"at":"now","id":"a","of":""}').toString('base64url')],
  ])('of %s is refused', (_, text) => {
    expect(readCursor(text, list)).toBeUndefined();
  });
});
