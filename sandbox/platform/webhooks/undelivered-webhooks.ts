import type { Page, PageQuery } from '#sandbox/platform/core/page.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { firstAbove } from '#sandbox/platform/core/sorted.ts';
import { sequenceOf } from './undelivered-order.ts';
import { createUndeliveredPages } from './undelivered-pages.ts';
import type { MalformedUndeliveredWebhook, UndeliveredWebhook, Webhook } from './webhook-schema.ts';

export type UndeliveredWebhooksDeps = {
  readonly timestamp: () => string;
  readonly newId: () => string;
  readonly settings: SettingsStore;
};

/** What a delivery was about that failed. */
export type FailedDelivery = { readonly webhook: Webhook; readonly body: string; readonly errorMessage: string };

export type UndeliveredRecord = UndeliveredWebhook | MalformedUndeliveredWebhook;

/** What makes a record malformed. */
export type Flaw = (record: UndeliveredWebhook) => MalformedUndeliveredWebhook;

export type UndeliveredWebhooks = ReturnType<typeof createUndeliveredWebhooks>;

/** The deliveries that failed, until they are marked delivered (section 2.2). Quick with 100,000 of them. */
export function createUndeliveredWebhooks({ timestamp, newId, settings }: UndeliveredWebhooksDeps) {
  /** From the oldest to the newest. */
  const kept: { readonly sequence: number; readonly record: UndeliveredRecord }[] = [];
  const sequences = new Map<string, number>();
  const pageOf = createUndeliveredPages(kept, settings);
  let last = 0;

  /** @param flaw what is wrong with the record itself; unless given, nothing is */
  function add({ webhook, body, errorMessage }: FailedDelivery, flaw?: Flaw): void {
    const createdOn = timestamp();
    const record = { id: newId(), webhook, body, errorMessage, createdOn, modifiedOn: createdOn };
    last += 1;
    kept.push({ sequence: last, record: flaw === undefined ? record : flaw(record) });
    sequences.set(record.id, last);
  }

  /** One page, in the order of the settings. @throws {RefusedError} for a cursor of another list */
  function list(query: PageQuery): Page<UndeliveredRecord> {
    const page = pageOf(query);
    return { ...page, data: page.data.map(({ record }) => record) };
  }

  /** Forgets this record and all that are older; false if there is none of this id. */
  function markDelivered(id: string): boolean {
    const newest = sequences.get(id);
    if (newest === undefined) return false;
    for (const { record } of kept.splice(0, firstAbove(kept, sequenceOf, newest))) sequences.delete(record.id);
    return true;
  }

  /** Forgets every record. */
  function clear(): void {
    kept.splice(0);
    sequences.clear();
  }

  return { add, list, markDelivered, clear, count: () => kept.length, all: () => kept.map(({ record }) => record) };
}
