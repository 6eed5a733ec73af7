import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConsumerMode, createConsumer, inMemorySequences, type SequenceStore } from '#package/exports/events.ts';
import { size } from '#test/full-size.ts';
import { message, orderDetail } from './sample-events.ts';

/** What happens at a moment of a run: nothing, a failure of the call, or the end of the process before or after the work. */
const moments = ['works', 'fails before', 'fails after', 'ends before', 'ends after'] as const;
type Moment = (typeof moments)[number];

/** The changes of two orders, each delivered once to three times, in any order. */
const deliveries = fc
  .array(
    fc.record({
      id: fc.constantFrom('a', 'b'),
      sequence: fc.integer({ min: 1, max: 6 }),
      times: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .chain((changes) =>
    fc.shuffledSubarray(
      changes.flatMap(({ id, sequence, times }, change) =>
        Array.from({ length: times }, (_, copy) => ({ id, sequence, name: `${change}-${copy}` })),
      ),
      { minLength: changes.reduce((sum, { times }) => sum + times, 0) },
    ),
  );

const history = {
  deliveries,
  scheduler: fc.scheduler(),
  faults: fc.array(fc.constantFrom<Moment>('works', 'works', ...moments), { maxLength: 40 }),
  batchSizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 10 }),
};

/** Histories in which the consumer has this store, or one that a test breaks. */
function checkHistories(createStore: (now: () => number) => SequenceStore, mode: ConsumerMode = 'latest-state') {
  const unitOf = (id: string, sequence: number) => (mode === 'latest-state' ? id : `${id}#${sequence}`);
  return fc.check(
    fc.asyncProperty(fc.record(history), async ({ deliveries: sent, scheduler, faults, batchSizes }) => {
      let time = 0;
      const faultsLeft = [...faults];
      const store = createStore(() => time);
      const begun: { readonly id: string; readonly sequence: number }[] = [];
      const settled = new Map<string, number>();
      const running = new Set<string>();
      const violations: string[] = [];

      /** One run of the function: an end of its process stops all that it does. */
      async function run(records: readonly (typeof sent)[number][]): Promise<readonly string[]> {
        const { promise: ended, resolve: end } = Promise.withResolvers<readonly string[]>();
        const handling = new Set<string>();
        let hasEnded = false;

        async function step<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
          await scheduler.schedule(Promise.resolve(), name);
          const moment = faultsLeft.shift() ?? 'works';
          if (hasEnded || moment === 'ends before') return stop();
          if (moment === 'fails before') throw new Error(moment);
          const value = await work();
          if (moment === 'ends after') return stop();
          if (moment === 'fails after') throw new Error(moment);
          return value;
        }
        function stop(): Promise<never> {
          hasEnded = true;
          for (const unit of handling) running.delete(unit);
          end(records.map(({ name }) => name));
          return new Promise(() => undefined);
        }

        const sequences: SequenceStore = {
          claim: (claim) => step('claim', () => store.claim(claim)),
          settle: (claim, hasTakenEffect) =>
            step('settle', async () => {
              await store.settle(claim, hasTakenEffect);
              const unit = claim.key.slice(claim.key.indexOf('order#') + 'order#'.length);
              if (hasTakenEffect) settled.set(unit, claim.sequence);
            }),
        };
        const consume = createConsumer({
          sequences,
          mode,
          onMessage: () => undefined,
          handlers: {
            OrderStatusChanged: async ({ detail: { id, sequence } }) => {
              const unit = unitOf(id, sequence);
              if (running.has(unit)) violations.push(`two handlers of ${unit}`);
              if ((settled.get(unit) ?? 0) >= (mode === 'latest-state' ? sequence : 1))
                violations.push(`${id} ${sequence} again`);
              begun.push({ id, sequence });
              running.add(unit);
              handling.add(unit);
              await step('handle', async () => undefined).finally(() => {
                running.delete(unit);
                handling.delete(unit);
              });
            },
          },
        });
        const Records = records.map(({ id, sequence, name }) =>
          message(name, 'OrderStatusChanged', orderDetail(id, sequence)),
        );
        const finished = consume({ Records }, { getRemainingTimeInMillis: () => 100 }).then(({ batchItemFailures }) =>
          batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
        );
        return Promise.race([finished, ended]);
      }

      let queue = [...sent];
      for (let round = 0; queue.length > 0 && round < 200; round += 1) {
        const sizes = [0, 1].map((worker) => batchSizes[(2 * round + worker) % batchSizes.length] ?? 1);
        const batches = sizes.map((count) => queue.splice(0, count)).filter((batch) => batch.length > 0);
        const returned = (await scheduler.waitFor(Promise.all(batches.map(run)))).flat();
        queue = [...queue, ...batches.flat().filter(({ name }) => returned.includes(name))];
        // SQS hands a message over again when the function could no longer run.
        time += 60_000;
      }

      expect(queue).toEqual([]);
      expect(violations).toEqual([]);
      if (mode === 'every-change') {
        const units = sent.map(({ id, sequence }) => unitOf(id, sequence));
        expect([...settled.keys()].toSorted()).toEqual([...new Set(units)].toSorted());
        return;
      }
      for (const id of new Set(sent.map((one) => one.id))) {
        const sequences = begun.filter((one) => one.id === id).map(({ sequence }) => sequence);
        expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
        const newest = Math.max(...sent.filter((one) => one.id === id).map(({ sequence }) => sequence));
        expect([sequences.at(-1), settled.get(id)]).toEqual([newest, newest]);
      }
    }),
    { numRuns: size(300, 5_000) },
  );
}

describe('a consumer of bus events under duplication, reordering and crashes', () => {
  it('begins handlers in order, one at a time per entity, repeats only the newest, and ends with the newest', async () => {
    const { failed, errorInstance, counterexample } = await checkHistories(inMemorySequences);
    expect([failed, errorInstance, counterexample]).toEqual([false, null, null]);
  });

  it('handles every change in the mode every-change, one handler of it at a time, and none after its settlement', async () => {
    const { failed, errorInstance, counterexample } = await checkHistories(inMemorySequences, 'every-change');
    expect([failed, errorInstance, counterexample]).toEqual([false, null, null]);
  });

  it.each([
    [
      'holds no key',
      (store: SequenceStore): SequenceStore => ({ ...store, claim: (claim) => store.claim({ ...claim, holdMs: 0 }) }),
    ],
    [
      'drops nothing',
      (store: SequenceStore): SequenceStore => ({
        ...store,
        claim: async (claim) => {
          const answer = await store.claim(claim);
          return answer === 'stale' ? 'claimed' : answer;
        },
      }),
    ],
  ])('finds a store that %s', async (_, broken) => {
    const { failed } = await checkHistories((now) => broken(inMemorySequences(now)));
    expect(failed).toBe(true);
  });
});
