import { inflateRawSync } from 'node:zlib';
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import type { Host } from '#sandbox/aws/host.ts';
import type { Platform } from '#sandbox/platform/platform.ts';
import { stepRow } from '#shared/onboarding-steps.ts';
import { sideBySide } from '#shared/side-by-side.ts';
import { checkCanaries } from './canary-watch.ts';
import { type Check, checkEqual, checkNone, checkSome } from './checks.ts';
import { countDeadLetters } from './dead-letters.ts';
import { auditEntities, isDifferent, type PlatformRecord } from './entity-audit.ts';
import { readAllEvents, waitUntilStored } from './first-webhooks.ts';
import type { OnboardingProps } from './onboarding.ts';
import { auditOnboardings, endedElsewhere, type OnboardingRecord, type PersonRecord } from './onboarding-audit.ts';
import type { FaultCounts } from './onboarding-faults.ts';
import { personsByExternalId } from './onboarding-lives.ts';
import type { Partner } from './onboarding-partner.ts';
import type { PlannedOnboarding } from './onboarding-plan.ts';
import type { MisusesAnswered } from './onboarding-requests.ts';
import { readOnboardingRows } from './onboarding-table.ts';
import { readShown } from './read-shown.ts';
import { refreshToken, runSchedule } from './schedules.ts';
import { searchLogAndDeadLetters } from './search-canaries.ts';

export type ChecksProps = OnboardingProps & {
  readonly plan: readonly PlannedOnboarding[];
  readonly partner: Partner;
  readonly faults: FaultCounts;
  readonly misuses: MisusesAnswered;
  /** How often the drain has run. */
  readonly drains: number;
};

/** In seconds: longer than a verification has to be quiet to be read back, and than a drift has to last. */
const untilReadBack = 7 * 3_600;

/** Reads at once. */
const concurrency = 8;

/** Of those that are not as they must be so many are named. */
const mostNamed = 10;

/** Every check of the scenario, once the faults have stopped and nothing is under way any more. */
export async function checkOnboardings(props: ChecksProps): Promise<readonly Check[]> {
  const ofOnboardings = await checkEnds(props);
  props.onStep('Reconciliation looks for what no webhook has told');
  const ofEntities = await checkEntities(props);
  const { host, platform } = props.sandbox;
  return [
    ...(await checkFaults(props)),
    ...ofOnboardings,
    ...ofEntities,
    checkNone(`undelivered after ${props.drains} runs of the drain`, platform.undelivered.count()),
    checkNone('dead letters', await countDeadLetters(host)),
    ...(await checkAllCanaries(props)),
  ];
}

/** Else the other checks would have shown nothing. */
async function checkFaults({ sandbox, watch, faults }: ChecksProps): Promise<readonly Check[]> {
  const events = await readAllEvents(sandbox.host);
  return [
    checkSome('answers to creates that were lost', faults.lostAnswers),
    checkSome('calls that were answered 503 or 429', faults.errors),
    checkSome('kills of functions', sum([...watch.kills.counts().values()])),
    checkSome('webhooks that were lost', sandbox.platform.deliveries.lost()),
    checkSome('webhooks that came twice', sum(events.map(({ deliveries }) => deliveries - 1))),
  ];
}

async function checkEnds({ sandbox, watch, plan, partner, misuses, onStep }: ChecksProps): Promise<readonly Check[]> {
  const { host, platform } = sandbox;
  const rows = await readOnboardingRows(host);
  const waiting = rows.filter(({ state }) => !stepRow(state.step).final && state.step !== 'STOPPED');
  const records = await readRecords(platform, plan, partner);
  for (const { planned, shown } of records.filter(endedElsewhere).slice(0, mostNamed))
    onStep(`  ${planned.name}: ${shown?.step ?? 'not there'} ${JSON.stringify(shown?.reasons ?? [])}`);
  const audit = auditOnboardings(records);
  return [
    checkEqual('onboardings', plan.length, rows.length),
    checkNone('  that ended elsewhere than they must', audit.elsewhere),
    checkNone('  that wait for something still', waiting.length),
    checkNone('  of another person, or with another status on the platform', audit.unlike),
    checkNone('  with more than one person of their externalId', audit.doubled),
    checkNone('  with two verifications open at the same time', audit.overlapping),
    checkNone('  identified twice, or not at all', audit.misidentified),
    checkSome('completions published', watch.steps.count('OnboardingCompleted')),
    checkNone('steps that were not published', watch.steps.unpublished()),
    checkNone(`wrong answers to ${misuses.asked} requests that came again, differ or are broken`, misuses.wrong),
    checkSome('requests on the bus that were rejected', watch.steps.count('OnboardingRejected')),
  ];
}

async function checkEntities({ sandbox, watch, onStep }: ChecksProps): Promise<readonly Check[]> {
  const { host, platform } = sandbox;
  // As they are now: those that are INVALID will be purged.
  const entities = entitiesOf(platform);
  await platform.clock.advance(untilReadBack);
  await refreshToken(host);
  await runSchedule(host, 'reconcile-runs');
  await waitUntilStored(host);
  const shown = await readShown(host.place.apiOrigin, entities);
  // Of a verification whose webhooks were all lost its onboarding knows alone.
  const told = shown.filter(({ record, entity }) => record.kind === 'natural-person' || entity !== undefined);
  for (const { record, entity } of told.filter(isDifferent).slice(0, mostNamed))
    onStep(`  ${record.kind}: ${entity?.status ?? 'not there'}, on the platform ${record.status}`);
  const audit = auditEntities(told, watch.changes());
  return [
    checkNone('entities with another status or time than on the platform', audit.different),
    checkNone('  with an anomaly', audit.anomalous),
    checkNone('  changes of a timeline that were not published', audit.unpublished),
    checkNone('  of which a listener ends with another status', audit.misled),
  ];
}

async function checkAllCanaries(props: ChecksProps): Promise<readonly Check[]> {
  await lookForCanaries(props);
  const { persons, externalIds } = props.watch.canaries;
  const everywhere = ['log', 'bus', 'queue', 'answer', 'dead letter'] as const;
  return [
    ...checkCanaries(persons, [...everywhere, 'webhooks queue', 'table']),
    // What the platform delivers names the person by it.
    ...checkCanaries(externalIds, everywhere, 'externalIds'),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function readRecords(
  platform: Platform,
  plan: readonly PlannedOnboarding[],
  partner: Partner,
): Promise<readonly OnboardingRecord[]> {
  const persons = personsByExternalId(platform);
  return sideBySide(plan, concurrency, async (planned) => {
    const { externalId } = planned.request;
    const ofId = (persons.get(externalId) ?? []).map(
      ({ naturalPersonId, naturalPersonStatus: status, naturalPersonIdentifications }): PersonRecord => ({
        naturalPersonId,
        status,
        identifications: naturalPersonIdentifications.length,
        verifications: platform.verifications
          .of(naturalPersonId)
          .map((one) => platform.verifications.historyOf(one.identificationVerificationId)),
      }),
    );
    return { planned, shown: await partner.read(externalId), persons: ofId };
  });
}

/**
 * Every person and verification that the platform shows to somebody: not the verifications of persons that may not act for
 * themselves any more (section 5). Webhooks were lost, so no status must have been told.
 */
function entitiesOf(platform: Platform): readonly PlatformRecord[] {
  const persons = [...personsByExternalId(platform).values()].flat();
  const verifications = persons
    .filter(({ naturalPersonStatus }) => !['SUSPENDED', 'BLOCKED'].includes(naturalPersonStatus))
    .flatMap(({ naturalPersonId }) => platform.verifications.of(naturalPersonId));
  return [
    ...persons.map(({ naturalPersonId: id, naturalPersonStatus: status, modifiedOn }) => ({
      kind: 'natural-person',
      id,
      status,
      modifiedOn,
      notified: [],
    })),
    ...verifications.map(({ identificationVerificationId: id, status, modifiedOn }) => ({
      kind: 'identification-verification',
      id,
      status,
      modifiedOn,
      notified: [],
    })),
  ];
}

/** Where no function calls anything: in the log, in dead letters, and in the tables. */
async function lookForCanaries({ sandbox, watch: { canaries } }: ChecksProps): Promise<void> {
  const { host } = sandbox;
  await searchLogAndDeadLetters(sandbox, Object.values(canaries));
  // Of what was stopped the person is kept: it may go on.
  const open = new Set((await readOnboardingRows(host)).filter(({ state }) => !stepRow(state.step).final).map(idOf));
  for (const { table, id, text } of await readTables(host))
    if (!open.has(id)) canaries.persons.look('table', text, table);
}

function idOf({ onboardingId }: { readonly onboardingId: string }): string {
  return onboardingId;
}

type ItemText = { readonly table: string; readonly id: string; readonly text: string };

/** All that the tables hold, in words. */
async function readTables({ blueprint, clients }: Pick<Host, 'blueprint' | 'clients'>): Promise<readonly ItemText[]> {
  const items: ItemText[] = [];
  for (const { name: table, physicalName: TableName } of blueprint.tables)
    for await (const { Items = [] } of paginateScan({ client: clients.dynamodb }, { TableName }))
      items.push(...Items.map((item) => ({ table, id: item['onboardingId']?.S ?? '', text: textOf(item) })));
  return items;
}

/** An item, with what is deflated in it. */
function textOf(item: Readonly<Record<string, AttributeValue>>): string {
  const bytes = Object.values(item).flatMap(({ B }) => (B === undefined ? [] : [inflateRawSync(B).toString()]));
  return [JSON.stringify(item), ...bytes].join('\n');
}
