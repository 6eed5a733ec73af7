import { describe, expect, it } from 'vitest';
import { readCursor, writeCursor } from '#shared/lambda/list-request.ts';

const position = { at: '2026-01-02T03:04:05.678Z', id: 'order#a' };

describe('a cursor', () => {
  it('is read as it was written', () => {
    expect(readCursor(writeCursor(position, 'orders'), 'orders')).toEqual(position);
  });

  it.each([
    ['another list', writeCursor(position, 'transfers')],
    ['no page', 'Erika'],
    ['a place without a time', writeCursor({ ...position, at: 'now' }, 'orders')],
    ['a place without an id', writeCursor({ ...position, id: '' }, 'orders')],
  ])('is refused when it is of %s', (_, text) => {
    expect(readCursor(text, 'orders')).toBeUndefined();
  });
});
