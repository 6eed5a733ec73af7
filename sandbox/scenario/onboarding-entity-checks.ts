import type { Sandbox } from '#sandbox/sandbox.ts';
import { inflateBody } from '#shared/webhook-delivery.ts';
import { type Check, checkEqual, checkNone } from './checks.ts';
import { auditEntities } from './entity-audit.ts';
import { readAllEvents, waitUntilStored } from './first-webhooks.ts';
import { mayAct } from './onboarding-deeds.ts';
import {
  asShown,
  describeDifference,
  type OnboardedRecord,
  type Standings,
  standingsOf,
} from './onboarding-entities.ts';
import { personsByExternalId } from './onboarding-lives.ts';
import { entityKeyOf, type PublishedChange } from './published-changes.ts';
import { readShown } from './read-shown.ts';
import { refreshToken, runSchedule } from './schedules.ts';

export type EntityChecksProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  readonly changes: () => readonly PublishedChange[];
  /** Of whom nothing must be known. */
  readonly isErased: (externalId: string) => boolean;
  readonly onStep: (step: string) => void;
};

/** In seconds: longer than a verification has to be quiet to be read back, and than a drift has to last. */
const untilReadBack = 7 * 3_600;

/** Of those that are not as on the platform so many are named. */
const mostNamed = 20;

/** Every person and verification, once reconciliation has looked for what no webhook has told. */
export async function checkEntities(props: EntityChecksProps): Promise<readonly Check[]> {
  const { sandbox, changes, onStep } = props;
  const { host, platform } = sandbox;
  // As they are now: those that are INVALID will be purged.
  const records = recordsOf(props);
  await platform.clock.advance(untilReadBack);
  await refreshToken(host);
  await runSchedule(host, 'reconcile-runs');
  await waitUntilStored(host);
  const shown = await readShown(host.place.apiOrigin, records);
  const isTold = await eventsTell(sandbox);
  const standings = standingsOf({ records, shown, isTold });
  for (const line of describe(standings, records)) onStep(line);
  const { same, different, unreadable, madeUp } = standings;
  const audit = auditEntities([...same, ...different, ...unreadable.flatMap(asShown)], changes());
  return [
    checkEqual('persons and verifications as on the platform', same.length + different.length, same.length),
    checkNone(`  of ${unreadable.length} that nobody may ask for any more, otherwise than last told`, madeUp.length),
    checkNone('  with an anomaly', audit.anomalous),
    checkNone('  changes of a timeline that were not published', audit.unpublished),
    checkNone('  of which a listener ends with another status', audit.misled),
  ];
}

function describe({ different, unreadable }: Standings, records: readonly OnboardedRecord[]): readonly string[] {
  const recordOf = new Map(records.map((record) => [entityKeyOf(record), record]));
  return [...different, ...unreadable]
    .slice(0, mostNamed)
    .map((one) => `  ${describeDifference(one, recordOf.get(entityKeyOf(one.record)))}`);
}

/** Webhooks were lost, so no status must have been told. */
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

async function eventsTell({ host }: Pick<Sandbox, 'host'>): Promise<(id: string) => boolean> {
  const bodies = (await readAllEvents(host)).map(({ deflatedBody }) =>
    Buffer.from(inflateBody(deflatedBody)).toString(),
  );
  return (id) => bodies.some((body) => body.includes(id));
}
