import { describe, expect, it } from 'vitest';
import { createSharedCalls } from '#functions/webhook-ingest/store/store-batch.ts';

/** Two shared calls of three records, and what they were called with. */
function world() {
  const calls = createSharedCalls();
  const made: string[] = [];
  const call = (name: string) =>
    calls.share(async (requests: readonly string[]) => {
      made.push(`${name}: ${requests.join(' ')}`);
      return (request: string) => {
        if (request === 'refused') throw new Error('This request is refused.');
        return request.toUpperCase();
      };
    });
  const [first, second] = [call('first'), call('second')];
  const [a, b, c] = [calls.join(), calls.join(), calls.join()];
  return { made, first, second, a, b, c, leave: calls.leave, stopWaiting: calls.stopWaiting };
}

/** Lets everything continue that can. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a call that the records of a batch share', () => {
  it('is made once, when every record has asked, and answers each of them', async () => {
    const { made, first, a, b, c } = world();
    const answers = [first(a, 'one'), first(b, 'two')];
    await settle();
    expect(made).toEqual([]);
    answers.push(first(c, 'three'));
    expect(await Promise.all(answers)).toEqual(['ONE', 'TWO', 'THREE']);
    expect(made).toEqual(['first: one two three']);
  });

  it('does not wait for a record that has ended, or that is further on', async () => {
    const { made, first, second, leave, a, b, c } = world();
    const later = second(b, 'two');
    const now = first(a, 'one');
    await settle();
    expect(made).toEqual([]);
    leave(c);
    expect(await now).toBe('ONE');
    expect(made).toEqual(['first: one']);
    leave(a);
    expect(await later).toBe('TWO');
    expect(made).toEqual(['first: one', 'second: two']);
  });

  it('waits for a record that is behind, at an earlier call', async () => {
    const { made, first, second, leave, a, b, c } = world();
    leave(c);
    const waiting = second(a, 'one');
    expect(await first(b, 'two')).toBe('TWO');
    await settle();
    expect(made).toEqual(['first: two']);
    const last = second(b, 'three');
    expect(await Promise.all([waiting, last])).toEqual(['ONE', 'THREE']);
    expect(made).toEqual(['first: two', 'second: one three']);
  });

  it('waits no longer for a record that hangs once the record is given up', async () => {
    const { made, first, second, stopWaiting, a, b, c } = world();
    const answers = [first(a, 'one'), first(b, 'two')];
    await settle();
    expect(made).toEqual([]);
    stopWaiting();
    expect(await Promise.all(answers)).toEqual(['ONE', 'TWO']);
    expect(await second(a, 'one')).toBe('ONE');
    expect(await first(c, 'late')).toBe('LATE');
    expect(made).toEqual(['first: one two', 'second: one', 'first: late']);
  });

  it('fails only for the record with the refused request', async () => {
    const { first, a, b, c } = world();
    const [one, two, three] = await Promise.allSettled([first(a, 'one'), first(b, 'refused'), first(c, 'three')]);
    expect([one.status, two.status, three.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('is not made where every record ends before it', async () => {
    const { made, leave, a, b, c } = world();
    for (const member of [a, b, c]) leave(member);
    await settle();
    expect(made).toEqual([]);
  });
});
