import { createRandom } from '#sandbox/random.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { onboardingIdOf } from '#shared/onboarding-row.ts';
import { stepRow } from '#shared/onboarding-steps.ts';
import type { Check } from './checks.ts';
import { waitUntilStored } from './first-webhooks.ts';
import { checkOnboardings } from './onboarding-checks.ts';
import { beginFaults, endFaults, ownWays } from './onboarding-faults.ts';
import { createKnownPersons, live, personsByExternalId } from './onboarding-lives.ts';
import { createPartner, type Partner } from './onboarding-partner.ts';
import { createOnboardingPlan, type PlannedOnboarding } from './onboarding-plan.ts';
import { type MisusesAnswered, misuse, requestOnboardings } from './onboarding-requests.ts';
import { readOnboardingRows, type StepsShown } from './onboarding-table.ts';
import type { OnboardingWatch } from './onboarding-watch.ts';
import { drainAll, followSchedules, refreshToken } from './schedules.ts';

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

/** Rounds in which onboardings are requested, and rounds with faults. Beyond the last something is stuck. */
const roundsOfRequests = 5;
const roundsOfFaults = 12;
const mostRounds = 150;

/** In seconds: an INVALID person is purged after 48 hours (section 8). */
const untilPurged = 49 * 3_600;

/** How many persons do what is for them to do in a round. */
const shareThatActs = 0.5;

/**
 * Issue 6: persons of all kinds are onboarded side by side while answers and webhooks get lost, the platform fails, and
 * functions die. The faults stop; then each onboarding must end where it must, by itself.
 */
export async function runOnboarding(props: OnboardingProps): Promise<readonly Check[]> {
  const { sandbox, watch, persons, seed, onStep } = props;
  const { host, platform } = sandbox;
  const random = createRandom(seed);
  const plan = createOnboardingPlan({ persons, random, today: platform.clock.now() });
  const onAnswer = (body: string, what: string) => {
    for (const canaries of Object.values(watch.canaries)) canaries.look('answer', body, what);
  };
  const partner = createPartner({ host, onAnswer });
  platform.settings.change(ownWays);
  createKnownPersons(platform, plan);
  await platform.clock.advance(untilPurged);
  await refreshToken(host);
  const run = { ...props, plan, partner, passRound: createRounds(props, plan, random) };

  onStep(`${persons} persons; answers and webhooks get lost, the platform fails, and functions are killed`);
  const { faults, misuses } = await onboardWithFaults(run);
  onStep('The faults stop: what is open goes on by itself');
  await goOnWithoutFaults(run);
  while (platform.deliveries.waiting() > 0) await platform.clock.advance(roundWithout);
  const drains = await drainAll(sandbox);
  await waitUntilStored(host);
  return checkOnboardings({ ...props, plan, partner, faults, misuses, drains });
}

/** Passes so many seconds. Gives what was requested on the bus and has not been taken in. */
type PassRound = (seconds: number) => Promise<readonly PlannedOnboarding[] | 'all have ended'>;

type Run = OnboardingProps & {
  readonly plan: readonly PlannedOnboarding[];
  readonly partner: Partner;
  readonly passRound: PassRound;
};

async function onboardWithFaults({ sandbox: { host, platform }, watch, plan, partner, passRound }: Run) {
  beginFaults(platform);
  watch.kills.begin((name) => host.functions.find(name)?.kill());
  const perRound = Math.ceil(plan.length / roundsOfRequests);
  let misuses: MisusesAnswered = { asked: 0, wrong: 0 };
  for (let round = 0; round < roundsOfFaults; round += 1) {
    await requestOnboardings(partner, plan.slice(round * perRound, (round + 1) * perRound));
    if (round === roundsOfRequests) misuses = await misuse(partner, misusedOf(plan));
    await passRound(roundWithFaults);
  }
  watch.kills.end();
  return { faults: endFaults(platform), misuses };
}

/** Nobody does anything but to ask again on the bus for what was neither accepted nor rejected. */
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
  return plan.filter(({ fate, isByEvent }) => fate.ends === 'COMPLETED' && !isByEvent).slice(0, few);
}

/**
 * In a round time goes on, persons and platform do their parts, schedules run, and the functions work off what comes of
 * it.
 */
function createRounds(
  { sandbox, onRound }: OnboardingProps,
  plan: readonly PlannedOnboarding[],
  random: () => number,
): PassRound {
  const { host, platform } = sandbox;
  const runSchedules = followSchedules(sandbox);
  return async (seconds) => {
    await platform.clock.advance(seconds);
    const persons = personsByExternalId(platform);
    for (const { fate, request } of plan)
      for (const person of persons.get(request.externalId) ?? [])
        if (random() < shareThatActs) live(platform, fate, person);
    await runSchedules();
    await waitUntilStored(host);
    const rows = await readOnboardingRows(host);
    onRound({ time: platform.clock.now(), rows });
    const known = new Set(rows.map(({ onboardingId }) => onboardingId));
    const notTakenIn = plan.filter(({ request }) => !known.has(onboardingIdOf(request.externalId)));
    const haveEnded = rows.every(({ state, outbox }) => isAtRest(state.step) && outbox.length === 0);
    return notTakenIn.length === 0 && haveEnded ? 'all have ended' : notTakenIn;
  };
}

function isAtRest(step: Parameters<typeof stepRow>[0]): boolean {
  return stepRow(step).final || step === 'STOPPED';
}
