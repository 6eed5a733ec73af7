import { createRandom } from '#sandbox/random.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import type { Check } from './checks.ts';
import { waitUntilStored } from './first-webhooks.ts';
import { checkOnboardings } from './onboarding-checks.ts';
import { createDeeds } from './onboarding-deeds.ts';
import { sendLate } from './onboarding-erasure.ts';
import { fates, fatesByProxy } from './onboarding-fates.ts';
import { beginFaults, type FaultsUnderWay, ownWays } from './onboarding-faults.ts';
import { createKnownPersons } from './onboarding-lives.ts';
import { createPartner, type Partner } from './onboarding-partner.ts';
import { createOnboardingPlan, type PlannedOnboarding } from './onboarding-plan.ts';
import { isByProxy } from './onboarding-requestor.ts';
import { type MisusesAnswered, misuse, requestOnboardings } from './onboarding-requests.ts';
import { createRounds, type PassRound } from './onboarding-rounds.ts';
import type { StepsShown } from './onboarding-table.ts';
import type { OnboardingWatch } from './onboarding-watch.ts';
import { drainAll, refreshToken } from './schedules.ts';

export type OnboardingProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform' | 'logFile'>;
  readonly watch: OnboardingWatch;
  readonly persons: number;
  readonly seed: number;
  readonly onStep: (step: string) => void;
  /** Told how far they are, again and again. */
  readonly onRound: (steps: StepsShown) => void;
};

/** In seconds: what passes in a round, while there are faults and after they have stopped. */
const roundWithFaults = 60;
const roundWithout = 300;

/**
 * Rounds in which onboardings are requested, in which credentials lack a right, and with faults. Beyond the last something is
 * stuck.
 */
const roundsOfRequests = 5;
const roundsOfRefusals = 7;
const roundsOfFaults = 12;
const mostRounds = 150;

/** In seconds: an INVALID person is purged after 48 hours (section 8). */
const untilPurged = 49 * 3_600;

/**
 * Issue 6: persons of all kinds are onboarded side by side while answers and webhooks get lost, the platform fails, and
 * functions die; some onboardings are canceled, retried, updated or erased by the partner's people. The faults stop; then
 * each onboarding must end where it must, by itself.
 */
export async function runOnboarding(props: OnboardingProps): Promise<readonly Check[]> {
  const { sandbox, watch, persons, seed, onStep } = props;
  const { host, platform } = sandbox;
  const random = createRandom(seed);
  const fatesOf = isByProxy(platform) ? fatesByProxy : fates;
  const plan = createOnboardingPlan({ persons, fates: fatesOf, random, today: platform.clock.now() });
  const onAnswer = (body: string, what: string) => {
    for (const canaries of Object.values(watch.canaries)) canaries.look('answer', body, what);
  };
  const partner = createPartner({ host, onAnswer });
  platform.settings.change({ ...ownWays, acceptSelfBeforeActive: !isByProxy(platform) });
  createKnownPersons(platform, plan);
  await platform.clock.advance(untilPurged);
  await refreshToken(host);

  onStep(`${persons} persons; answers and webhooks get lost, the platform fails, and functions are killed`);
  const underWay = beginFaults(platform);
  const deeds = createDeeds({ platform, partner, plan, isAllowedAgain: underWay.haveRefusalsEnded });
  const run = { ...props, plan, partner, deeds, passRound: createRounds({ ...props, plan, deeds, random }) };
  const misuses = await onboardWithFaults(run, underWay);
  const faults = underWay.end();
  onStep('The faults stop: what is open goes on by itself');
  await goOnWithoutFaults(run);
  const late = sendLate(platform, plan, deeds);
  do await platform.clock.advance(roundWithout);
  while (platform.deliveries.waiting() > 0);
  const drains = await drainAll(sandbox);
  await waitUntilStored(host);
  return checkOnboardings({ ...props, plan, partner, deeds, faults, misuses, late, drains });
}

type Run = OnboardingProps & {
  readonly plan: readonly PlannedOnboarding[];
  readonly partner: Partner;
  readonly passRound: PassRound;
};

async function onboardWithFaults(
  { sandbox: { host }, watch, plan, partner, passRound }: Run,
  underWay: FaultsUnderWay,
) {
  watch.kills.begin((name) => host.functions.find(name)?.kill());
  const perRound = Math.ceil(plan.length / roundsOfRequests);
  let misuses: MisusesAnswered = { asked: 0, wrong: 0 };
  for (let round = 0; round < roundsOfFaults; round += 1) {
    await requestOnboardings(partner, plan.slice(round * perRound, (round + 1) * perRound));
    if (round === roundsOfRequests) misuses = await misuse(partner, misusedOf(plan));
    if (round === roundsOfRefusals) underWay.endRefusals();
    await passRound(roundWithFaults);
  }
  watch.kills.end();
  return misuses;
}

/** Nobody does anything but what was planned, and to ask again on the bus for what was neither accepted nor rejected. */
async function goOnWithoutFaults({ partner, passRound }: Run): Promise<void> {
  for (let round = 0; round < mostRounds; round += 1) {
    const notTakenIn = await passRound(roundWithout);
    if (notTakenIn === 'all have ended') return;
    await requestOnboardings(partner, notTakenIn);
  }
}

/** Those of whom nothing is changed by a request with other data. */
function misusedOf(plan: readonly PlannedOnboarding[]): readonly PlannedOnboarding[] {
  const few = Math.ceil(plan.length / 20);
  const isOpenToIt = ({ fate, isByEvent }: PlannedOnboarding) =>
    fate.ends === 'COMPLETED' && fate.deeds === undefined && !isByEvent;
  return plan.filter(isOpenToIt).slice(0, few);
}
