import * as z from 'zod';
import { consume, entityKeyOf, type PublishedChange } from './published-changes.ts';

/** An order, a transfer or a person on the platform, or as it was before the platform purged it. */
export type PlatformRecord = {
  readonly kind: string;
  readonly id: string;
  readonly status: string;
  readonly modifiedOn: string;
  /** Every status that a notification reported. */
  readonly notified: readonly string[];
};

/** An entity as `GET /entities/{kind}/{id}` returns it. */
export const entityView = z.object({
  kind: z.string(),
  id: z.string(),
  sequence: z.number(),
  status: z.string().optional(),
  modifiedOn: z.string().optional(),
  anomalies: z.array(z.string()),
  toReadBack: z.boolean(),
});

export const timelineView = z.object({
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

export type EntityReading = {
  readonly record: PlatformRecord;
  /** Undefined if there is no such entity. */
  readonly entity: z.infer<typeof entityView> | undefined;
  readonly timeline: z.infer<typeof timelineView>['events'];
};

/** The number of wrong entities, by kind of error. */
export type EntityAudit = {
  /** Differs from the platform: missing, or with another status or time. */
  readonly different: number;
  /** Has anomalies although the platform made no impossible transition. */
  readonly anomalous: number;
  /** Notified statuses that the timeline lacks. */
  readonly unreported: number;
  /** Changes in a timeline that were never published in that form. */
  readonly unpublished: number;
  /** Entities for which a consumer of the bus that keeps the highest sequence ends with another status. */
  readonly misled: number;
};

/** Compares the entities, their timelines and the published changes with the platform. */
export function auditEntities(shown: readonly EntityReading[], changes: readonly PublishedChange[]): EntityAudit {
  const published = new Set(changes.map(changeKey));
  const count = (isFault: (one: EntityReading) => boolean) => shown.filter(isFault).length;
  return {
    different: count(isDifferent),
    anomalous: count(({ entity }) => (entity?.anomalies.length ?? 0) > 0),
    unreported: shown.flatMap(({ record, timeline }) => {
      const reported = new Set(timeline.map(({ status }) => status));
      return record.notified.filter((status) => !reported.has(status));
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

/** Counts the entities for which a consumer of these changes ends with another status than the platform's. */
export function countMisled(records: readonly PlatformRecord[], changes: readonly PublishedChange[]): number {
  const consumed = consume(changes);
  return records.filter((record) => consumed.get(entityKeyOf(record)) !== record.status).length;
}

/** Whether an entity differs from the platform. */
export function isDifferent({ record, entity }: Pick<EntityReading, 'record' | 'entity'>): boolean {
  return entity?.status !== record.status || entity.modifiedOn !== record.modifiedOn;
}

type ChangeKey = Pick<PublishedChange, 'sequence' | 'status' | 'statusBefore' | 'eventId'> & {
  readonly kind: string;
  readonly id: string;
};

function changeKey({ sequence, status, statusBefore, eventId, ...entity }: ChangeKey): string {
  return [entityKeyOf(entity), sequence, statusBefore ?? '', status ?? '', eventId].join(' ');
}
