import { type Page, type PageQuery, pageOf } from '#sandbox/platform/core/page.ts';
import type { Settings, SettingsStore } from '#sandbox/platform/core/settings.ts';
import type { UndeliveredWebhook, Webhook } from './webhook-schema.ts';

export type UndeliveredWebhooksDeps = {
  readonly timestamp: () => string;
  readonly newId: () => string;
  readonly settings: SettingsStore;
};

/** What a delivery was about that failed. */
export type FailedDelivery = { readonly webhook: Webhook; readonly body: string; readonly errorMessage: string };

/** `sequence` rises with createdOn. */
type Kept = { readonly sequence: number; readonly record: UndeliveredWebhook };

type Order = Settings['undeliveredOrder'];

export type UndeliveredWebhooks = ReturnType<typeof createUndeliveredWebhooks>;

/** The deliveries that failed, until they are marked delivered (section 2.2). Quick with 100,000 of them. */
export function createUndeliveredWebhooks({ timestamp, newId, settings }: UndeliveredWebhooksDeps) {
  /** From the oldest to the newest. */
  let kept: Kept[] = [];
  const sequences = new Map<string, number>();
  let next = 1;
  /** What the list of the other orders was when it was last asked for. */
  let sorted: { readonly order: Order; readonly of: number; readonly from: Kept[]; readonly items: Kept[] } | undefined;

  function add({ webhook, body, errorMessage }: FailedDelivery): UndeliveredWebhook {
    const createdOn = timestamp();
    const record = { id: newId(), webhook, body, errorMessage, createdOn, modifiedOn: createdOn };
    kept.push({ sequence: next, record });
    sequences.set(record.id, next);
    next += 1;
    return record;
  }

  function inOrder(order: Order): readonly Kept[] {
    if (order === 'ASCENDING') return kept;
    if (sorted?.order !== order || sorted.from !== kept || sorted.of !== kept.length) {
      const items = kept.toSorted((one, other) => rank(order, one) - rank(order, other));
      sorted = { order, of: kept.length, from: kept, items };
    }
    return sorted.items;
  }

  /** One page, in the order of the settings. @throws {RefusedError} for a cursor that is none of this list */
  function list(query: PageQuery): Page<UndeliveredWebhook> {
    const order = settings.read().undeliveredOrder;
    const page = pageOf(`undelivered ${order}`, inOrder(order), (item) => rank(order, item), query);
    return { ...page, data: page.data.map(({ record }) => record) };
  }

  /** Forgets this record and all that are older; false where there is none of this id. */
  function markDelivered(id: string): boolean {
    const newest = sequences.get(id);
    if (newest === undefined) return false;
    for (const { sequence, record } of kept) if (sequence <= newest) sequences.delete(record.id);
    kept = kept.filter(({ sequence }) => sequence > newest);
    return true;
  }

  return { add, list, markDelivered, count: () => kept.length, all: () => kept.map(({ record }) => record) };
}

function rank(order: Order, { sequence }: Kept): number {
  if (order === 'ASCENDING') return sequence;
  return order === 'DESCENDING' ? -sequence : scatter(sequence);
}

/** Another number for each, in no order to speak of (the finalizer of MurmurHash3). */
function scatter(sequence: number): number {
  const once = Math.imul(sequence ^ (sequence >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
