/** The latest cursors that stand for numbers. Older ones are rejected, as any platform may do. */
const maxCursors = 10_000;

export type CursorNumbers = ReturnType<typeof createCursorNumbers>;

/** Numbers that stand for cursors: the same for the same cursor. */
export function createCursorNumbers() {
  const numbers = new Map<string, number>();
  const texts = new Map<string, string>();
  let last = 0;

  function numberOf(cursor: string): number {
    const known = numbers.get(cursor);
    if (known !== undefined) return known;
    last += 1;
    numbers.set(cursor, last);
    texts.set(String(last), cursor);
    const oldest = String(last - maxCursors);
    numbers.delete(texts.get(oldest) ?? '');
    texts.delete(oldest);
    return last;
  }

  return {
    numberOf,
    /** What was not a cursor is left as it is: the list rejects it. */
    textOf: (number: string): string => texts.get(number) ?? number,
  };
}
