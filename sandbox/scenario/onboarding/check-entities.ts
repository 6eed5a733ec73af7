import type { Sandbox } from '#sandbox/sandbox.ts';
import { type Check, checkEqual, checkNone } from '#sandbox/scenario/common/checks.ts';
import { auditEntities } from '#sandbox/scenario/common/entity-audit.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { entityKeyOf, type PublishedChange } from '#sandbox/scenario/common/published-changes.ts';
import { readEntities } from '#sandbox/scenario/common/read-entities.ts';
import { refreshToken, runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import {
  asRead,
  compareEntities,
  describeDifference,
  type EntityComparison,
  type OnboardedRecord,
} from './entities.ts';
import { mayAct, personsByExternalId } from './platform-part.ts';

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
