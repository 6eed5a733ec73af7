import { createRandom } from '#sandbox/platform/core/random.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import type { Check } from '#sandbox/scenario/common/checks.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { drainAll, purgeSeconds, refreshToken } from '#sandbox/scenario/common/schedules.ts';
import { checkOnboardings } from './checks.ts';
import { sendLateWebhooks } from './erasure.ts';
import { passivePlatform, type RunningFaults, startFaults } from './faults.ts';
import {
  createPartner,
  type InvalidRequestResults,
  type Partner,
  requestOnboardings,
  sendInvalidRequests,
} from './partner.ts';
import { createPartnerActions } from './partner-actions.ts';
import { personas, personasByProxy } from './personas.ts';
import { createOnboardingPlan, type PlannedOnboarding } from './plan.ts';
import { createKnownPersons, isByProxy } from './platform-part.ts';
import { createRounds, type PassRound, type StepCounts } from './rounds.ts';
import type { OnboardingWatch } from './watch.ts';

export type OnboardingProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform' | 'advance' | 'logFile'>;
  readonly watch: OnboardingWatch;
  readonly persons: number;
  readonly seed: number;
  readonly onStep: (step: string) => void;
  /** Called after each round. */
  readonly onRound: (steps: StepCounts) => void;
};

/** The time that a round takes, with and without faults. */
const faultyRoundSeconds = 60;
const calmRoundSeconds = 300;

/**
 * The number of rounds with new requests, with credentials that lack a right, and with faults. After `maxRounds` an
 * onboarding is stuck.
 */
const roundsOfRequests = 5;
const roundsOfRefusals = 7;
const roundsOfFaults = 12;
const maxRounds = 150;

/**
 * Onboards persons concurrently while answers and webhooks are lost, the platform fails, and functions die. Meanwhile the
 * partner's staff cancel, retry, update and erase some of them. After the faults have stopped, each onboarding must end
 * as its persona says, without an operator.
 */
export async function runOnboarding(props: OnboardingProps): Promise<readonly Check[]> {
  const { sandbox, watch, persons, seed, onStep } = props;
  const { host, platform } = sandbox;
  const random = createRandom(seed);
  const personasOf = isByProxy(platform) ? personasByProxy : personas;
  const plan = createOnboardingPlan({ persons, personas: personasOf, random, today: platform.clock.now() });
  const onAnswer = (body: string, what: string) => {
    for (const marker of Object.values(watch.markers)) marker.inspect('answer', body, what);
  };
  const partner = createPartner({ host, onAnswer });
  platform.settings.change(passivePlatform);
  createKnownPersons(platform, plan);
  await platform.clock.advance(purgeSeconds);
  await refreshToken(host);

  onStep(`Onboards ${persons} persons while answers and webhooks are lost, the platform fails, and functions die`);
  const runningFaults = startFaults(platform);
  const actions = createPartnerActions({ platform, partner, plan, isAllowedAgain: runningFaults.haveRefusalsEnded });
  const run = { ...props, plan, partner, actions, passRound: createRounds({ ...props, plan, actions, random }) };
  const invalidRequests = await onboardWithFaults(run, runningFaults);
  const faults = runningFaults.end();
  onStep('The faults stop. Open onboardings continue without an operator');
  await finishWithoutFaults(run);
  const late = sendLateWebhooks(platform, plan, actions);
  do await platform.clock.advance(calmRoundSeconds);
  while (platform.deliveries.waiting() > 0);
  const drains = await drainAll(sandbox);
  await waitUntilStored(host);
  return checkOnboardings({ ...props, plan, partner, actions, faults, invalidRequests, late, drains });
}

type Run = OnboardingProps & {
  readonly plan: readonly PlannedOnboarding[];
  readonly partner: Partner;
  readonly passRound: PassRound;
};

async function onboardWithFaults(
  { sandbox: { host }, watch, plan, partner, passRound }: Run,
  runningFaults: RunningFaults,
) {
  watch.kills.begin((name) => host.functions.find(name)?.kill());
  const perRound = Math.ceil(plan.length / roundsOfRequests);
  let invalidRequests: InvalidRequestResults = { asked: 0, wrong: 0 };
  for (let round = 0; round < roundsOfFaults; round += 1) {
    await requestOnboardings(partner, plan.slice(round * perRound, (round + 1) * perRound));
    if (round === roundsOfRequests) invalidRequests = await sendInvalidRequests(partner, pickForInvalidRequests(plan));
    if (round === roundsOfRefusals) runningFaults.endRefusals();
    await passRound(faultyRoundSeconds);
  }
  watch.kills.end();
  return invalidRequests;
}

/** Continues with the planned actions only, and repeats requests on the bus that were neither accepted nor rejected. */
async function finishWithoutFaults({ partner, passRound }: Run): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    const missing = await passRound(calmRoundSeconds);
    if (missing === 'all have ended') return;
    await requestOnboardings(partner, missing);
  }
}

/** Picks onboardings that a request with other data does not change. */
function pickForInvalidRequests(plan: readonly PlannedOnboarding[]): readonly PlannedOnboarding[] {
  const few = Math.ceil(plan.length / 20);
  const isUnaffected = ({ persona, isByEvent }: PlannedOnboarding) =>
    persona.ends === 'COMPLETED' && persona.actions === undefined && !isByEvent;
  return plan.filter(isUnaffected).slice(0, few);
}
