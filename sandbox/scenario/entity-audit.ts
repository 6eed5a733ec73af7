import * as z from 'zod';
import { consume, entityKeyOf, type PublishedChange } from './published-changes.ts';

/** An order, a transfer or a person as the platform has it, or had it before it purged it. */
export type PlatformRecord = {
  readonly kind: string;
  readonly id: string;
  readonly status: string;
  readonly modifiedOn: string;
  /** Each status of which there was a notification. */
  readonly notified: readonly string[];
};

/** An entity as the read side shows it (`GET /entities/{kind}/{id}`, and its timeline). */
export const shownEntity = z.object({
  kind: z.string(),
  id: z.string(),
  sequence: z.number(),
  status: z.string().optional(),
  modifiedOn: z.string().optional(),
  anomalies: z.array(z.string()),
  toReadBack: z.boolean(),
});

export const shownTimeline = z.object({
  events: z.array(
    z.object({
      eventId: z.string(),
      status: z.string().optional(),
      change: z
        .object({ sequence: z.number(), status: z.string().optional(), statusBefore: z.string().optional() })
        .optional(),
    }),
  ),
});

export type Shown = {
  readonly record: PlatformRecord;
  /** Undefined where there is no such entity. */
  readonly entity: z.infer<typeof shownEntity> | undefined;
  readonly timeline: z.infer<typeof shownTimeline>['events'];
};

/** How many entities are not as they should be, of each kind of fault. */
export type EntityAudit = {
  /** Not as the platform has it: missing, or with another status or time. */
  readonly different: number;
  /** With anomalies, although the platform has made no impossible transition. */
  readonly anomalous: number;
  /** Statuses that were notified and are not in the timeline. */
  readonly untold: number;
  /** Changes in a timeline that were never published as they stand there. */
  readonly unpublished: number;
  /** Entities of which a consumer of the bus, by the highest sequence, ends with another status. */
  readonly misled: number;
};

/** Holds what is shown, and what was published, against what the platform has. */
export function auditEntities(shown: readonly Shown[], changes: readonly PublishedChange[]): EntityAudit {
  const published = new Set(changes.map(changeKey));
  const count = (isFault: (one: Shown) => boolean) => shown.filter(isFault).length;
  return {
    different: count(isDifferent),
    anomalous: count(({ entity }) => (entity?.anomalies.length ?? 0) > 0),
    untold: shown.flatMap(({ record, timeline }) => {
      const told = new Set(timeline.map(({ status }) => status));
      return record.notified.filter((status) => !told.has(status));
    }).length,
    unpublished: shown.flatMap(({ record, timeline }) => {
      const keys = timeline.flatMap(({ eventId, change }) =>
        change === undefined ? [] : [changeKey({ ...record, ...change, status: change.status, eventId })],
      );
      return keys.filter((key) => !published.has(key));
    }).length,
    misled: countMisled(
      shown.map(({ record }) => record),
      changes,
    ),
  };
}

/** Of how many a consumer that hears these changes, in this order, ends with another status than the platform has. */
export function countMisled(records: readonly PlatformRecord[], changes: readonly PublishedChange[]): number {
  const consumed = consume(changes);
  return records.filter((record) => consumed.get(entityKeyOf(record)) !== record.status).length;
}

/** Whether an entity is not as the platform has it. */
export function isDifferent({ record, entity }: Pick<Shown, 'record' | 'entity'>): boolean {
  return entity?.status !== record.status || entity.modifiedOn !== record.modifiedOn;
}

type ChangeKey = Pick<PublishedChange, 'sequence' | 'status' | 'statusBefore' | 'eventId'> & {
  readonly kind: string;
  readonly id: string;
};

function changeKey({ sequence, status, statusBefore, eventId, ...entity }: ChangeKey): string {
  return [entityKeyOf(entity), sequence, statusBefore ?? '', status ?? '', eventId].join(' ');
}
