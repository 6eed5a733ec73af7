import type { Sandbox } from '#sandbox/sandbox.ts';
import { type Check, checkEqual, checkNone, checkSome } from '#sandbox/scenario/common/checks.ts';
import { countRepeated } from '#sandbox/scenario/common/event-audit.ts';
import { readAllEvents } from '#sandbox/scenario/common/event-store.ts';
import { searchLogAndDeadLetters } from '#sandbox/scenario/common/marker-search.ts';
import { checkMarkers } from '#sandbox/scenario/common/marker-watch.ts';
import { countMessages } from '#sandbox/scenario/common/queues.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { auditOnboardings, hasWrongEnd, type OnboardingRecord, readRecords } from './audit.ts';
import { checkEntities } from './check-entities.ts';
import { checkPartnerActions } from './check-partner-actions.ts';
import { checkErasures, type LateWebhooks } from './erasure.ts';
import type { FaultCounts } from './faults.ts';
import type { InvalidRequestResults, Partner } from './partner.ts';
import type { PartnerActions } from './partner-actions.ts';
import type { PlannedOnboarding } from './plan.ts';
import { readOnboardingRows, readTables } from './read-tables.ts';
import type { OnboardingWatch } from './watch.ts';

export type ChecksProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform' | 'logFile'>;
  readonly watch: OnboardingWatch;
  readonly onStep: (step: string) => void;
  readonly plan: readonly PlannedOnboarding[];
  readonly partner: Partner;
  readonly actions: PartnerActions;
  readonly faults: FaultCounts;
  readonly invalidRequests: InvalidRequestResults;
  readonly late: LateWebhooks;
  /** The number of runs of the drain. */
  readonly drains: number;
};

/** The number of failing onboardings that are printed. */
const maxNamed = 10;

/** Runs every check of the scenario, once the faults have stopped and no work is in progress. */
export async function checkOnboardings(props: ChecksProps): Promise<readonly Check[]> {
  const ofOnboardings = await checkEnds(props);
  props.onStep('Reconcile compares the entities with the platform');
  const { host, platform } = props.sandbox;
  const { isErased } = props.actions;
  const ofEntities = await checkEntities({ ...props, changes: props.watch.changes, isErased });
  // Last, because no other check may bring an erased person back.
  const ofActions = [...checkPartnerActions({ ...props, platform }), ...(await checkErasures(props))];
  return [
    ...(await checkFaults(props)),
    ...ofOnboardings,
    ...ofActions,
    ...ofEntities,
    checkNone(`undelivered after ${props.drains} runs of the drain`, platform.undelivered.count()),
    checkNone('dead letters', await countMessages(host, 'dead letters')),
    ...(await checkAllMarkers(props)),
  ];
}

/** Checks that each kind of fault happened: without faults the other checks show nothing. */
async function checkFaults({ sandbox, watch, faults }: ChecksProps): Promise<readonly Check[]> {
  const kills = [...watch.kills.counts().values()].reduce((sum, count) => sum + count, 0);
  return [
    checkSome('lost answers to creates', faults.lostAnswers),
    checkSome('creates that were answered with 403', faults.refusals),
    checkSome('calls that were answered with 503 or 429', faults.errors),
    checkSome('kills of functions', kills),
    checkSome('lost webhooks', sandbox.platform.deliveries.lost()),
    checkSome('duplicate webhooks', countRepeated(await readAllEvents(sandbox.host))),
  ];
}

async function checkEnds(props: ChecksProps): Promise<readonly Check[]> {
  const { sandbox, watch, plan, partner, invalidRequests, onStep } = props;
  const { host, platform } = sandbox;
  const { rows, erased } = await readOnboardingRows(host);
  const waiting = rows.filter(({ state }) => !stepRow(state.step).final && state.step !== 'STOPPED');
  const records = await readRecords(platform, plan, partner);
  for (const { planned, shown } of records.filter(hasWrongEnd).slice(0, maxNamed))
    onStep(`  ${planned.name}: ${describeEnd(shown)}`);
  const audit = auditOnboardings(records);
  return [
    checkEqual('onboardings', plan.length, rows.length + erased.length),
    checkNone('  that ended at the wrong step', audit.wrongEnd),
    checkNone('  that are still waiting', waiting.length),
    checkNone('  with the wrong person, or the wrong status on the platform', audit.wrongPerson),
    checkNone('  with more than one person for their externalId', audit.doubled),
    checkNone('  with two verifications open at the same time', audit.overlapping),
    checkNone('  identified twice, or not at all', audit.misidentified),
    checkSome('completions published', watch.steps.count('OnboardingCompleted')),
    checkNone('steps that were not published', watch.steps.unpublished()),
    checkNone(
      `wrong answers to ${invalidRequests.asked} repeated, conflicting and invalid requests`,
      invalidRequests.wrong,
    ),
    checkSome('rejected requests from the bus', watch.steps.count('OnboardingRejected')),
  ];
}

function describeEnd(shown: OnboardingRecord['shown']): string {
  if (shown === undefined) return 'does not exist';
  return shown === 'erased' ? shown : `${shown.step} ${JSON.stringify(shown.reasons ?? [])}`;
}

async function checkAllMarkers(props: ChecksProps): Promise<readonly Check[]> {
  await searchForMarkers(props);
  const { persons, externalIds, videoCalls } = props.watch.markers;
  const everywhere = ['log', 'bus', 'queue', 'answer', 'dead letter'] as const;
  return [
    ...checkMarkers(persons, [...everywhere, 'webhooks queue', 'table']),
    // Webhooks and tables name the person by its externalId.
    ...checkMarkers(externalIds, everywhere, 'externalIds'),
    ...checkMarkers(videoCalls, ['log', 'bus', 'queue', 'dead letter'], 'URLs of video calls'),
  ];
}

/** Searches what no call of a function shows: the log, the dead letters, and the tables. */
async function searchForMarkers({ sandbox, watch: { markers } }: ChecksProps): Promise<void> {
  const { host } = sandbox;
  await searchLogAndDeadLetters(sandbox, Object.values(markers));
  // A stopped onboarding keeps the data of its person, because it can continue.
  const { rows } = await readOnboardingRows(host);
  const open = new Set(rows.filter(({ state }) => !stepRow(state.step).final).map(({ onboardingId }) => onboardingId));
  for (const { table, onboardingId, text } of await readTables(host))
    if (!open.has(onboardingId)) markers.persons.inspect('table', text, table);
}
