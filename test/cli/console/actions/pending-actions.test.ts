import { expect, it } from 'vitest';
import type { PreparedAction } from '#cli/console/actions/define-action.ts';
import { createPendingActions } from '#cli/console/actions/pending-actions.ts';

const action = (will: string): PreparedAction => ({
  preview: { will, canRun: true },
  run: async () => ({ message: will }),
});

function createPending() {
  let time = 0;
  let ids = 0;
  const pending = createPendingActions({ now: () => new Date(time), newId: () => `id-${ids++}` });
  return {
    pending,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

it('hands out what was previewed once', () => {
  const { pending } = createPending();
  const [first, second] = [pending.add(action('first')), pending.add(action('second'))];
  expect(pending.take(second)?.preview.will).toBe('second');
  expect(pending.take(second)).toBeUndefined();
  expect(pending.take(first)?.preview.will).toBe('first');
});

it('forgets a preview after ten minutes', () => {
  const { pending, pass } = createPending();
  const [early, late] = [pending.add(action('early')), pending.add(action('late'))];
  pass(599_999);
  expect(pending.take(early)).toBeDefined();
  pass(1);
  expect(pending.take(late)).toBeUndefined();
});

it('keeps the latest hundred previews', () => {
  const { pending } = createPending();
  const ids = Array.from({ length: 101 }, () => pending.add(action('replay')));
  expect(ids.map((id) => pending.take(id) !== undefined)).toEqual([false, ...Array.from({ length: 100 }, () => true)]);
});
