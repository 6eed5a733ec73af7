import type { AnswerAll } from '#shared/answer-all.ts';
import type { Bus } from '#shared/bus/bus.ts';
import type { EntityStore } from '#shared/entities/entity-store.ts';
import type { StartBatch } from '#shared/lambda/handler.ts';
import { type ApplyEventDeps, createApplyEvent } from './apply-event.ts';
import type { Subjects } from './find-erased.ts';
import { createSharedCalls } from './shared-calls.ts';
import { createStore, type StoreDeps } from './store-record.ts';

export type StoreBatchDeps = Omit<StoreDeps, 'applyEvent'> &
  Omit<ApplyEventDeps, 'entityStore' | 'hasErased' | 'bus' | 'eventStore'> & {
    readonly eventStore: StoreDeps['eventStore'] & ApplyEventDeps['eventStore'];
    readonly entityStore: Pick<EntityStore, 'applyAll'>;
    readonly findErased: AnswerAll<Subjects, boolean>;
    readonly bus: Pick<Bus, 'publishAll'>;
  };

/**
 * Works on the records of a batch. Each record is committed alone, and fails alone. The records of a batch share one look for
 * erased subjects, the read and the write of each entity, and one call to the bus. They wait there for each other for half of the
 * batch's time.
 */
export function createStoreBatch({ findErased, entityStore, bus, ...deps }: StoreBatchDeps): StartBatch {
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
      .map(async ({ text, isAbout, member }) => {
        const applyEvent = createApplyEvent({
          ...deps,
          hasErased: (subjects) => hasErased(member, subjects),
          entityStore: { apply: (event) => apply(member, event) },
          bus: { publish: (events) => publish(member, events) },
        });
        try {
          await createStore({ ...deps, applyEvent })(text, isAbout);
        } finally {
          calls.leave(member);
        }
      });
  };
}
