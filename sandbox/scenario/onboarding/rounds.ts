import type { Sandbox } from '#sandbox/sandbox.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { formatTable } from '#sandbox/terminal/table.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import { identificationModes } from '#shared/onboarding/onboarding-state.ts';
import { onboardingStepWords, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { PartnerActions } from './partner-actions.ts';
import type { PlannedOnboarding } from './plan.ts';
import { personsByExternalId, takeNextStep } from './platform-part.ts';
import { type OnboardingRows, readOnboardingRows } from './read-tables.ts';

/** Advances the clock by some seconds. Returns the onboardings that were requested and do not exist yet. */
export type PassRound = (seconds: number) => Promise<readonly PlannedOnboarding[] | 'all have ended'>;

export type RoundsProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform' | 'advance'>;
  readonly plan: readonly PlannedOnboarding[];
  readonly actions: Pick<PartnerActions, 'awaited' | 'act' | 'left' | 'counts'>;
  readonly random: () => number;
  /** Called after each round. */
  readonly onRound: (steps: StepCounts) => void;
};

/** The share of persons that take their next step in a round. */
const activeShare = 0.5;

/**
 * In a round the clock advances with what is due, persons and platform take their next steps, the functions drain their
 * queues, and the partner's staff perform the actions that are due.
 */
export function createRounds({ sandbox, plan, actions, random, onRound }: RoundsProps): PassRound {
  const { host, platform, advance } = sandbox;
  /** The verifications for which a link to the video call was published. */
  const offered = new Set<string>();
  const isOffered = (identificationVerificationId: string) => offered.has(identificationVerificationId);
  return async (seconds) => {
    await advance(seconds);
    const persons = personsByExternalId(platform);
    for (const planned of plan)
      for (const person of persons.get(planned.request.externalId) ?? [])
        if (random() < activeShare)
          takeNextStep(platform, planned.persona, person, { awaited: actions.awaited(planned), isOffered });
    await waitUntilStored(host);
    const found = await readOnboardingRows(host);
    for (const id of found.rows.flatMap(offeredBy)) offered.add(id);
    const hasActed = await actions.act(found.rows);
    onRound({ time: platform.clock.now(), ...found, actions: actions.counts() });
    const missing = missingOf(plan, found);
    const isOver = missing.length === 0 && !hasActed && actions.left() === 0 && found.rows.every(hasEnded);
    return isOver ? 'all have ended' : missing;
  };
}

function missingOf(plan: readonly PlannedOnboarding[], { rows, erased }: OnboardingRows) {
  const known = new Set([...rows.map(({ onboardingId }) => onboardingId), ...erased]);
  return plan.filter(({ request }) => !known.has(onboardingIdOf(request.externalId)));
}

function offeredBy({ state: { step, identificationVerificationId: id }, outbox }: OnboardingRow): readonly string[] {
  return step === 'AWAITING_VIDEO_CALL' && outbox.length === 0 && id !== undefined ? [id] : [];
}

function hasEnded({ state: { step }, outbox }: OnboardingRow): boolean {
  return (stepRow(step).final || step === 'STOPPED') && outbox.length === 0;
}

/** The steps of all onboardings at one moment of the platform's time. */
export type StepCounts = {
  readonly time: Date;
  readonly rows: readonly Pick<OnboardingRow, 'state'>[];
  /** Onboardings whose persons were erased. */
  readonly erased: readonly unknown[];
  /** The number of performed partner actions, by kind. */
  readonly actions: Readonly<Record<string, number>>;
};

/** Formats a table with the number of onboardings at each step, by mode, and the performed actions below. */
function formatSteps({ time, rows, erased, actions }: StepCounts): string {
  const lines = onboardingStepWords.flatMap((step) => {
    const there = rows.filter(({ state }) => state.step === step);
    const ofMode = (mode: string) => there.filter(({ state }) => state.mode === mode).length;
    return there.length === 0 ? [] : [[step, ...identificationModes.map(ofMode), there.length]];
  });
  const ofErased = erased.length === 0 ? [] : [['erased', ...identificationModes.map(() => ''), erased.length]];
  const table = formatTable([clockOf(time), ...identificationModes, 'all'], [...lines, ...ofErased]);
  return [table, ...formatActions(actions)].join('\n');
}

/** Formats the same numbers in one line. */
function formatStepsInLine({ time, rows, erased, actions }: StepCounts): string {
  const counts = onboardingStepWords.flatMap((step) => {
    const there = rows.filter(({ state }) => state.step === step).length;
    return there === 0 ? [] : [`${there} ${step}`];
  });
  const ofErased = erased.length === 0 ? [] : [`${erased.length} erased`];
  const steps = [...counts, ...ofErased].join(' · ') || 'none yet';
  return [`  ${clockOf(time)}  ${steps}`, ...formatActions(actions)].join('; ');
}

function formatActions(actions: StepCounts['actions']): readonly string[] {
  const counts = Object.entries(actions).map(([what, count]) => `${what} ${count}`);
  return counts.length === 0 ? [] : [`done: ${counts.join(' · ')}`];
}

function clockOf(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}

export type Terminal = { readonly isTTY: boolean; readonly write: (text: string) => void };

/** Prints the steps while they change: a terminal shows one table in place, any other output a line each time. */
export function createLiveTable({ isTTY, write }: Terminal) {
  let height = 0;
  return {
    show: (steps: StepCounts): void => {
      const shown = isTTY ? `\n${formatSteps(steps)}\n` : `${formatStepsInLine(steps)}\n`;
      write(isTTY && height > 0 ? `\x1b[${height}A\x1b[J${shown}` : shown);
      height = shown.split('\n').length - 1;
    },
    /** Keeps the table: the next output goes below it. */
    leave: (): void => {
      height = 0;
    },
  };
}
