import { refusedField } from '#sandbox/platform/core/refused-error.ts';
import { idFieldOf, type WriteNotification } from './place-notification.ts';
import type { Registrations } from './registrations.ts';
import type { Flaw, UndeliveredWebhooks } from './undelivered-webhooks.ts';

export type MadeUpDeliveriesDeps = {
  readonly registrations: Pick<Registrations, 'get'>;
  readonly undelivered: Pick<UndeliveredWebhooks, 'add' | 'count'>;
  readonly timestamp: () => string;
  readonly newId: () => string;
  readonly writeNotification: WriteNotification;
};

export type MadeUpDeliveriesRequest = {
  readonly count: number;
  /** How many of them are malformed. */
  readonly malformed: number;
  readonly eventType: string;
  readonly status: string;
  /** Where their webhook was registered when they failed, if not at the URL that is registered now. */
  readonly url?: string | undefined;
  /** Further fields of each body. */
  readonly fields?: Readonly<Record<string, unknown>>;
};

export type MadeUpDeliveries = ReturnType<typeof createMadeUpDeliveries>;

/** The flaws, used in turn. The id stays, because a record without one cannot be marked. */
const flaws: readonly Flaw[] = [
  (record) => ({ ...record, body: undefined }),
  (record) => ({ ...record, createdOn: undefined }),
  (record) => ({ ...record, createdOn: 'yesterday' }),
  (record) => ({ ...record, webhook: undefined }),
  (record) => ({ ...record, body: null }),
  (record) => ({ ...record, createdOn: null }),
  (record) => ({ ...record, webhook: null }),
  (record) => ({ ...record, errorMessage: null, modifiedOn: null }),
];

/** Creates undelivered webhooks of made-up deliveries. */
export function createMadeUpDeliveries(deps: MadeUpDeliveriesDeps) {
  const { registrations, undelivered, timestamp, newId, writeNotification } = deps;
  let flawed = 0;

  function nextFlaw(): Flaw | undefined {
    flawed += 1;
    return flaws[(flawed - 1) % flaws.length];
  }

  /**
   * Adds so many, each with a body of its own; the malformed ones evenly among them.
   *
   * @returns how many undelivered webhooks there are then
   * @throws {RefusedError} if the event type has no webhook
   */
  function add({ count, malformed, eventType, status, url, fields }: MadeUpDeliveriesRequest): number {
    const registered = registrations.get(eventType);
    if (registered === undefined) throw refusedField('eventType', 'has no webhook: register one first.');
    const { headers: _, ...withoutHeaders } = registered;
    const webhook = url === undefined ? registered : { ...withoutHeaders, url };
    const malformedBefore = (index: number) => Math.floor((index * malformed) / count);
    for (let index = 0; index < count; index += 1) {
      const known = { [idFieldOf(eventType)]: newId(), status, notificationType: 'UPDATED', modifiedOn: timestamp() };
      const resource = writeNotification(eventType, { ...known, ...fields });
      const isMalformed = malformedBefore(index + 1) > malformedBefore(index);
      const delivery = { webhook, body: JSON.stringify(resource), errorMessage: 'Made up.' };
      undelivered.add(delivery, isMalformed ? nextFlaw() : undefined);
    }
    return undelivered.count();
  }

  return { add };
}
