import type { Sandbox } from '#sandbox/sandbox.ts';
import { type Check, checkEqual, checkNone } from '#sandbox/scenario/common/checks.ts';
import {
  auditEntities,
  type EntityReading,
  isDifferent,
  type PlatformRecord,
} from '#sandbox/scenario/common/entity-audit.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { entityKeyOf, type PublishedChange } from '#sandbox/scenario/common/published-changes.ts';
import { readEntities } from '#sandbox/scenario/common/read-entities.ts';
import { refreshToken, runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import type { VerificationHistory } from './audit.ts';
import { mayAct, personsByExternalId } from './platform-part.ts';

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

export type EntityChecksProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  readonly changes: () => readonly PublishedChange[];
  /** Whether the person was erased: Drawbridge must know nothing of an erased person. */
  readonly isErased: (externalId: string) => boolean;
  readonly onStep: (step: string) => void;
};

/** After this time without webhooks reconcile reads back every verification and repairs every drift. */
const readBackSeconds = 7 * 3_600;

/** The number of differences that are printed. */
const maxNamed = 20;

/** Checks every person and verification after a run of reconcile. */
export async function checkEntities(props: EntityChecksProps): Promise<readonly Check[]> {
  const { sandbox, changes, onStep } = props;
  const { host, platform } = sandbox;
  // Read before time passes: the platform purges INVALID persons.
  const records = recordsOf(props);
  await platform.clock.advance(readBackSeconds);
  await refreshToken(host);
  await runSchedule(host, 'reconcile-runs');
  await waitUntilStored(host);
  const shown = await readEntities(host.place.apiOrigin, records);
  const isReported = await findReported(sandbox);
  const comparison = compareEntities({ records, shown, isReported });
  for (const line of describe(comparison, records)) onStep(line);
  const { same, different, unreadable, unexplained } = comparison;
  const audit = auditEntities([...same, ...different, ...unreadable.flatMap(asRead)], changes());
  return [
    checkEqual('persons and verifications that match the platform', same.length + different.length, same.length),
    checkNone(
      `  of ${unreadable.length} that the requestor may no longer read, not as last reported`,
      unexplained.length,
    ),
    checkNone('  with an anomaly', audit.anomalous),
    checkNone('  changes of a timeline that were not published', audit.unpublished),
    checkNone('  for which a bus consumer ends with another status', audit.misled),
  ];
}

function describe({ different, unreadable }: EntityComparison, records: readonly OnboardedRecord[]): readonly string[] {
  const recordOf = new Map(records.map((record) => [entityKeyOf(record), record]));
  return [...different, ...unreadable]
    .slice(0, maxNamed)
    .map((one) => `  ${describeDifference(one, recordOf.get(entityKeyOf(one.record)))}`);
}

/** `notified` is empty: webhooks were lost, so no status must be in a timeline. */
function recordsOf({ sandbox: { platform }, isErased }: EntityChecksProps): readonly OnboardedRecord[] {
  const persons = [...personsByExternalId(platform).values()]
    .flat()
    .filter(({ externalId }) => externalId === undefined || !isErased(externalId));
  return persons.flatMap((person) => {
    const { naturalPersonId: id, naturalPersonStatus: status, modifiedOn } = person;
    const ofPerson = { personStatus: status, notified: [] };
    const isReadable = mayAct(platform, { naturalPersonId: id, isIdentification: true });
    return [
      { ...ofPerson, kind: 'natural-person', id, status, modifiedOn, isReadable: true, history: [] },
      ...platform.verifications.of(id).map((one) => ({
        ...ofPerson,
        kind: 'identification-verification',
        id: one.identificationVerificationId,
        status: one.status,
        modifiedOn: one.modifiedOn,
        isReadable,
        history: platform.verifications.historyOf(one.identificationVerificationId),
      })),
    ];
  });
}

async function findReported({ host }: Pick<Sandbox, 'host'>): Promise<(id: string) => boolean> {
  const bodies = (await readAllEvents(host)).map(({ deflatedBody }) =>
    Buffer.from(inflateBody(deflatedBody)).toString(),
  );
  return (id) => bodies.some((body) => body.includes(id));
}
