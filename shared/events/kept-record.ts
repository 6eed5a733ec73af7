import { mapConcurrent } from '#shared/map-concurrent.ts';
import { quarantineEvent, undeliveredEventType } from './event.ts';
import type { EventRow } from './event-row.ts';
import type { EventStore } from './event-store.ts';
import { inflateBody } from './webhook-delivery.ts';

/**
 * Names a piece of an undelivered record that is too large for one event. The name makes the event's id, and ends the id of its
 * delivery: so each piece leads to all others.
 *
 * @param record the SHA-256 of the record, in hex
 * @param nth from 1
 */
export function nameOfPiece(record: string, nth: number, count: number): string {
  return `${record}:${String(nth).padStart(4, '0')}/${count}`;
}

const endOfDeliveryId = /:([\da-f]{64}):(\d{4,6})\/(\d{1,6})$/;

/** What an event holds of an undelivered record. */
export type KeptRecord =
  /** All of the record that is stored, and the events that hold its other pieces. */
  | { readonly is: 'whole'; readonly body: Uint8Array; readonly others: readonly string[] }
  /** A piece after the first: the first decides for all. */
  | { readonly is: 'later piece' }
  /** A piece of a record of which another piece is erased: an erasure of the record has not ended. */
  | { readonly is: 'erased in part'; readonly others: readonly string[] };

const readConcurrency = 10;

/**
 * Reads the record of which an event holds a piece, or all. A record in n pieces takes 2n reads in all: the first piece reads
 * each other piece, and each of those reads the first. Pieces of an earlier release do not name the other pieces: each counts as a
 * record.
 */
export async function readKeptRecord(
  row: Pick<EventRow, 'deflatedBody' | 'deliveryIds'>,
  read: EventStore['read'],
): Promise<KeptRecord> {
  const byItself: KeptRecord = { is: 'whole', body: inflateBody(row.deflatedBody), others: [] };
  const [, record = '', nth, count] = row.deliveryIds.map((id) => endOfDeliveryId.exec(id)).find(Boolean) ?? [];
  if (nth === undefined) return byItself;
  const idOf = (index: number) =>
    quarantineEvent(undeliveredEventType, nameOfPiece(record, index, Number(count)), 'UNDELIVERED_TOO_LARGE').eventId;
  if (Number(nth) > 1) {
    const first = await read(idOf(1));
    if (first === undefined) return byItself;
    return first.erasedOn === undefined ? { is: 'later piece' } : { is: 'erased in part', others: [] };
  }
  const others = Array.from({ length: Number(count) - 1 }, (_, index) => idOf(index + 2));
  const rows = await mapConcurrent(others, readConcurrency, read);
  if (rows.some((one) => one?.erasedOn !== undefined)) return { is: 'erased in part', others };
  const pieces = rows.flatMap((one) => (one === undefined ? [] : [inflateBody(one.deflatedBody)]));
  return { is: 'whole', body: Buffer.concat([byItself.body, ...pieces]), others };
}
