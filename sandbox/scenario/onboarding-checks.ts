import type { Platform } from '#sandbox/platform/platform.ts';
import { stepRow } from '#shared/onboarding-steps.ts';
import { sideBySide } from '#shared/side-by-side.ts';
import { checkCanaries } from './canary-watch.ts';
import { type Check, checkEqual, checkNone, checkSome } from './checks.ts';
import { countDeadLetters } from './dead-letters.ts';
import { readAllEvents } from './first-webhooks.ts';
import type { OnboardingProps } from './onboarding.ts';
import { auditOnboardings, endedElsewhere, type OnboardingRecord, type PersonRecord } from './onboarding-audit.ts';
import { checkDeeds } from './onboarding-deed-checks.ts';
import type { Deeds } from './onboarding-deeds.ts';
import { checkEntities } from './onboarding-entity-checks.ts';
import type { LateWebhooks } from './onboarding-erasure.ts';
import type { FaultCounts } from './onboarding-faults.ts';
import { personsByExternalId } from './onboarding-lives.ts';
import type { Partner } from './onboarding-partner.ts';
import type { PlannedOnboarding } from './onboarding-plan.ts';
import type { MisusesAnswered } from './onboarding-requests.ts';
import { readOnboardingRows } from './onboarding-table.ts';
import { readTables } from './read-tables.ts';
import { searchLogAndDeadLetters } from './search-canaries.ts';

export type ChecksProps = OnboardingProps & {
  readonly plan: readonly PlannedOnboarding[];
  readonly partner: Partner;
  readonly deeds: Deeds;
  readonly faults: FaultCounts;
  readonly misuses: MisusesAnswered;
  readonly late: LateWebhooks;
  /** How often the drain has run. */
  readonly drains: number;
};

/** Reads at once. */
const concurrency = 8;

/** Of those that are not as they must be so many are named. */
const mostNamed = 10;

/** Every check of the scenario, once the faults have stopped and nothing is under way any more. */
export async function checkOnboardings(props: ChecksProps): Promise<readonly Check[]> {
  const ofOnboardings = await checkEnds(props);
  props.onStep('Reconciliation looks for what no webhook has told');
  const { host, platform } = props.sandbox;
  const { isErased } = props.deeds;
  const ofEntities = await checkEntities({ ...props, changes: props.watch.changes, isErased });
  const ofDeeds = await checkDeeds(props);
  return [
    ...(await checkFaults(props)),
    ...ofOnboardings,
    ...ofDeeds,
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
    checkSome('creates that were answered 403', faults.refusals),
    checkSome('calls that were answered 503 or 429', faults.errors),
    checkSome('kills of functions', sum([...watch.kills.counts().values()])),
    checkSome('webhooks that were lost', sandbox.platform.deliveries.lost()),
    checkSome('webhooks that came twice', sum(events.map(({ deliveries }) => deliveries - 1))),
  ];
}

async function checkEnds({ sandbox, watch, plan, partner, misuses, onStep }: ChecksProps): Promise<readonly Check[]> {
  const { host, platform } = sandbox;
  const { rows, erased } = await readOnboardingRows(host);
  const waiting = rows.filter(({ state }) => !stepRow(state.step).final && state.step !== 'STOPPED');
  const records = await readRecords(platform, plan, partner);
  for (const { planned, shown } of records.filter(endedElsewhere).slice(0, mostNamed))
    onStep(`  ${planned.name}: ${describeEnd(shown)}`);
  const audit = auditOnboardings(records);
  return [
    checkEqual('onboardings', plan.length, rows.length + erased.length),
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

function describeEnd(shown: OnboardingRecord['shown']): string {
  if (shown === undefined) return 'not there';
  return shown === 'erased' ? shown : `${shown.step} ${JSON.stringify(shown.reasons ?? [])}`;
}

async function checkAllCanaries(props: ChecksProps): Promise<readonly Check[]> {
  await lookForCanaries(props);
  const { persons, externalIds, videoCalls } = props.watch.canaries;
  const everywhere = ['log', 'bus', 'queue', 'answer', 'dead letter'] as const;
  return [
    ...checkCanaries(persons, [...everywhere, 'webhooks queue', 'table']),
    // What the platform delivers names the person by it.
    ...checkCanaries(externalIds, everywhere, 'externalIds'),
    ...checkCanaries(videoCalls, ['log', 'bus', 'queue', 'dead letter'], 'URLs of video calls'),
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

/** Where no function calls anything: in the log, in dead letters, and in the tables. */
async function lookForCanaries({ sandbox, watch: { canaries } }: ChecksProps): Promise<void> {
  const { host } = sandbox;
  await searchLogAndDeadLetters(sandbox, Object.values(canaries));
  // Of what was stopped the person is kept: it may go on.
  const { rows } = await readOnboardingRows(host);
  const open = new Set(rows.filter(({ state }) => !stepRow(state.step).final).map(({ onboardingId }) => onboardingId));
  for (const { table, onboardingId, text } of await readTables(host))
    if (!open.has(onboardingId)) canaries.persons.look('table', text, table);
}
