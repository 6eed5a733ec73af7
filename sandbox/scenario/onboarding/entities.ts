import { type EntityReading, isDifferent, type PlatformRecord } from '#sandbox/scenario/common/entity-audit.ts';
import { entityKeyOf } from '#sandbox/scenario/common/published-changes.ts';
import type { VerificationHistory } from './audit.ts';

/** A person or a verification on the platform, with what the requestor can read of it. */
export type OnboardedRecord = PlatformRecord & {
  /** Whether the requestor may read it from the platform (section 5). Everyone may read persons. */
  readonly isReadable: boolean;
  /** The status of its person. */
  readonly personStatus: string;
  /** Every status that it had on the platform. */
  readonly history: VerificationHistory;
};

export type EntityComparisonProps = {
  readonly records: readonly OnboardedRecord[];
  readonly shown: readonly EntityReading[];
  /** Whether a stored event names this id. */
  readonly isReported: (id: string) => boolean;
};

/** The entities compared with the platform: each record is in one of the first three lists. */
export type EntityComparison = {
  readonly same: readonly EntityReading[];
  /** Differs from the platform although the requestor may read it: an error. */
  readonly different: readonly EntityReading[];
  /** Differs from the platform, but the requestor may no longer read it: the last webhook decides. */
  readonly unreadable: readonly EntityReading[];
  /** Unreadable, with a status that the platform never had, or missing although an event names it: an error. */
  readonly unexplained: readonly EntityReading[];
};

/** Compares the entities with the platform. A difference is an error unless Drawbridge cannot know better. */
export function compareEntities({ records, shown, isReported }: EntityComparisonProps): EntityComparison {
  const recordOf = new Map(records.map((record) => [entityKeyOf(record), record]));
  const groupOf = (one: EntityReading): Exclude<keyof EntityComparison, 'unexplained'> => {
    if (!isDifferent(one)) return 'same';
    return recordOf.get(entityKeyOf(one.record))?.isReadable === false ? 'unreadable' : 'different';
  };
  const { same = [], different = [], unreadable = [] } = Object.groupBy(shown, groupOf);
  const isUnexplained = ({ record, entity }: EntityReading) => {
    if (entity === undefined) return isReported(record.id);
    const { history = [] } = recordOf.get(entityKeyOf(record)) ?? {};
    return !history.some(({ status, since }) => status === entity.status && since === entity.modifiedOn);
  };
  return { same, different, unreadable, unexplained: unreadable.filter(isUnexplained) };
}

/** Takes the entity itself as the expected record, because Drawbridge cannot know the record of the platform. */
export function asRead(one: EntityReading): readonly EntityReading[] {
  const { record, entity } = one;
  if (entity?.status === undefined || entity.modifiedOn === undefined) return [];
  return [{ ...one, record: { ...record, status: entity.status, modifiedOn: entity.modifiedOn } }];
}

/** Describes a difference in one line. Ids of the platform, statuses and times: no personal data. */
export function describeDifference(
  { record, entity, timeline }: EntityReading,
  of: OnboardedRecord | undefined,
): string {
  const flags = [
    ...(entity?.toReadBack === true ? ['to be read back'] : []),
    `${timeline.length} events`,
    `person is ${of?.personStatus}`,
    ...(of?.isReadable === false ? ['requestor may not read it'] : []),
  ];
  const here = entity === undefined ? 'missing' : `${entity.status} of ${entity.modifiedOn}`;
  return `${record.kind} ${record.id}: ${here}, on the platform ${record.status} of ${record.modifiedOn} (${flags.join(', ')})`;
}
