import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { createService, operation, type Service } from './commands.ts';

export type PublishedEvent = { readonly detailType: string; readonly detail: string };

export type EventBridge = {
  readonly perform: Service;
  readonly published: () => readonly PublishedEvent[];
};

/** A bus of EventBridge in memory: it keeps what was put on it. */
export function createEventBridge({ newId }: { readonly newId: () => string }): EventBridge {
  const published: PublishedEvent[] = [];
  const perform = createService([
    operation(PutEventsCommand, ['Entries'], ({ Entries = [] }) => {
      published.push(
        ...Entries.map(({ DetailType = '', Detail = '' }) => ({ detailType: DetailType, detail: Detail })),
      );
      return { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: newId() })) };
    }),
  ]);
  return { perform, published: () => published };
}
