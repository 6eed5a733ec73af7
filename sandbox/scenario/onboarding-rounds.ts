import type { Sandbox } from '#sandbox/sandbox.ts';
import { onboardingIdOf } from '#shared/onboarding-keys.ts';
import type { OnboardingRow } from '#shared/onboarding-row.ts';
import { stepRow } from '#shared/onboarding-steps.ts';
import { waitUntilStored } from './first-webhooks.ts';
import type { Deeds } from './onboarding-deeds.ts';
import { live, personsByExternalId } from './onboarding-lives.ts';
import type { PlannedOnboarding } from './onboarding-plan.ts';
import { type OnboardingRows, readOnboardingRows, type StepsShown } from './onboarding-table.ts';
import { followSchedules } from './schedules.ts';

/** Passes so many seconds. Gives what was requested on the bus and has not been taken in. */
export type PassRound = (seconds: number) => Promise<readonly PlannedOnboarding[] | 'all have ended'>;

export type RoundsProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  readonly plan: readonly PlannedOnboarding[];
  readonly deeds: Pick<Deeds, 'awaited' | 'act' | 'left' | 'counts'>;
  readonly random: () => number;
  /** Told how far they are, again and again. */
  readonly onRound: (steps: StepsShown) => void;
};

/** How many persons do what is for them to do in a round. */
const shareThatActs = 0.5;

/**
 * In a round time goes on, persons and platform do their parts, schedules run, the functions work off what comes of it, and
 * the partner's people do what is due then.
 */
export function createRounds({ sandbox, plan, deeds, random, onRound }: RoundsProps): PassRound {
  const { host, platform } = sandbox;
  const runSchedules = followSchedules(sandbox);
  /** Each video call of which a link was published, by the id of its verification. */
  const offered = new Set<string>();
  const isOffered = (identificationVerificationId: string) => offered.has(identificationVerificationId);
  return async (seconds) => {
    await platform.clock.advance(seconds);
    const persons = personsByExternalId(platform);
    for (const planned of plan)
      for (const person of persons.get(planned.request.externalId) ?? [])
        if (random() < shareThatActs)
          live(platform, planned.fate, person, { awaited: deeds.awaited(planned), isOffered });
    await runSchedules();
    await waitUntilStored(host);
    const found = await readOnboardingRows(host);
    for (const id of found.rows.flatMap(offeredBy)) offered.add(id);
    const hasActed = await deeds.act(found.rows);
    onRound({ time: platform.clock.now(), ...found, deeds: deeds.counts() });
    const notTakenIn = notTakenInOf(plan, found);
    const isOver = notTakenIn.length === 0 && !hasActed && deeds.left() === 0 && found.rows.every(hasEnded);
    return isOver ? 'all have ended' : notTakenIn;
  };
}

function notTakenInOf(plan: readonly PlannedOnboarding[], { rows, erased }: OnboardingRows) {
  const known = new Set([...rows.map(({ onboardingId }) => onboardingId), ...erased]);
  return plan.filter(({ request }) => !known.has(onboardingIdOf(request.externalId)));
}

function offeredBy({ state: { step, identificationVerificationId: id }, outbox }: OnboardingRow): readonly string[] {
  return step === 'AWAITING_VIDEO_CALL' && outbox.length === 0 && id !== undefined ? [id] : [];
}

function hasEnded({ state: { step }, outbox }: OnboardingRow): boolean {
  return (stepRow(step).final || step === 'STOPPED') && outbox.length === 0;
}
