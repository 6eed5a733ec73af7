import type { Bus } from '#shared/bus/bus.ts';
import type { BatchCall, EntityStore } from '#shared/entities/entity-store.ts';
import type { StartBatch } from '#shared/lambda/handler.ts';
import { type ApplyEventDeps, createApplyEvent, type Subjects } from './apply-event.ts';
import { createStore, type StoreDeps } from './store-record.ts';

/** A record of a batch. Only this module changes it. */
export type BatchMember = {
  /** The latest shared call that it made, whether it has the answer or waits for it: -1 before the first one. */
  reached: number;
};

/** Makes a shared call for a record. @throws if the call failed, for this record or for all */
export type SharedCall<Request, Answer> = (member: BatchMember, request: Request) => Promise<Answer>;

type PendingRequest<Request, Answer> = {
  readonly request: Request;
  readonly answer: (answer: Promise<Answer>) => void;
};

/**
 * Lets the records of a batch work on their own, and meet at shared calls. A shared call starts once no record can come to it
 * any more: each record waits there, has passed it, or has ended. So one call serves every record that needs it, and a record
 * that fails before a call does not affect the others.
 *
 * Records make the shared calls in the order in which these were added, each once at the most. A record that is at its end must
 * leave: the others wait for it. They stop waiting for a record whose own calls hang when the batch says so.
 */
export function createSharedCalls() {
  const members: BatchMember[] = [];
  const starts: (() => void)[] = [];
  let isWaiting = true;

  function startWhatIsComplete(): void {
    const slowest = !isWaiting ? Number.POSITIVE_INFINITY : Math.min(...members.map(({ reached }) => reached));
    for (const start of starts.slice(0, slowest + 1)) start();
  }

  function reach(member: BatchMember, order: number): void {
    member.reached = order;
    startWhatIsComplete();
  }

  return {
    /** Adds a record. All records are added before the first of them makes a call. */
    join: (): BatchMember => {
      const member = { reached: -1 };
      members.push(member);
      return member;
    },
    leave: (member: BatchMember): void => reach(member, Number.POSITIVE_INFINITY),
    /** From now on each call starts at once, for the records that are there. */
    stopWaiting: (): void => {
      isWaiting = false;
      startWhatIsComplete();
    },
    /** Adds a call after those that were added before. */
    share: <Request, Answer>(batchCall: BatchCall<Request, Answer>): SharedCall<Request, Answer> => {
      const order = starts.length;
      const pending: PendingRequest<Request, Answer>[] = [];
      starts.push(() => {
        const all = pending.splice(0);
        if (all.length === 0) return;
        const answering = batchCall(all.map(({ request }) => request));
        for (const { request, answer } of all) answer(answering.then((answerTo) => answerTo(request)));
      });
      return (member, request) => {
        const { promise, resolve } = Promise.withResolvers<Answer>();
        pending.push({ request, answer: resolve });
        reach(member, order);
        return promise;
      };
    },
  };
}

/** What a record needs; and, in place of a call for one record, each call that the records share. */
export type BatchDeps = Omit<StoreDeps & ApplyEventDeps, 'applyEvent' | 'hasErased' | 'entityStore' | 'bus'> & {
  readonly findErased: BatchCall<Subjects, boolean>;
  readonly entityStore: Pick<EntityStore, 'applyAll'>;
  readonly bus: Pick<Bus, 'publishAll'>;
};

/**
 * Works on the records of a batch. Each record is committed and fails by itself. The records of a batch share one search for
 * erased subjects, the read and the write of each entity, and one call to the bus. They wait there for each other for half of the
 * batch's time.
 */
export function createStoreBatch({ findErased, entityStore, bus, ...deps }: BatchDeps): StartBatch {
  return (messages, halfTime) => {
    const calls = createSharedCalls();
    void halfTime.then(calls.stopWaiting);
    const [hasErased, apply, publish] = [
      calls.share(findErased),
      calls.share(entityStore.applyAll),
      calls.share(bus.publishAll),
    ];
    return messages
      .map((message) => ({ ...message, member: calls.join() }))
      .map(async ({ text, setLogIds, member }) => {
        const applyEvent = createApplyEvent({
          ...deps,
          hasErased: (subjects) => hasErased(member, subjects),
          entityStore: { apply: (event) => apply(member, event) },
          bus: { publish: (events) => publish(member, events) },
        });
        try {
          await createStore({ ...deps, applyEvent })(text, setLogIds);
        } finally {
          calls.leave(member);
        }
      });
  };
}
