import * as z from 'zod';
import { requestPath } from '#cli/command/request-url.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { drawOnboarding } from '#cli/console/diagrams/draw-onboarding.ts';
import { readOnboardings } from '#cli/deployment/api-reads.ts';
import { adviseOnboarding } from '#cli/onboardings/advise.ts';
import { type Deadlines, deadlineOn, readDeadlines } from '#cli/onboardings/read-deadlines.ts';
import { type HistoryEntry, readHistory } from '#cli/onboardings/read-history.ts';
import { createRevealingRead, readOnboarding } from '#cli/onboardings/read-onboarding.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { type OnboardingAnswer, onboardingListAnswer } from '#shared/api/onboarding-answers.ts';
import { canRetry, openSteps, toneOfOnboarding } from '#shared/onboarding/onboarding-advice.ts';
import { type OnboardingStep, onboardingStepWords, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { defineRead } from './define-read.ts';

const listQuery = z.object({ step: z.enum(onboardingStepWords).optional(), cursor: z.string().optional() });

/** @property stalled only those that are over the deadline of their step */
const boardQuery = z.object({ step: z.string().optional(), stalled: z.literal('yes').optional() });

const direction = z.enum(['LR', 'TB']);

/** @property sequence of the onboarding that the page shows: another one has another history */
const historyQuery = z.object({ externalId: z.string(), direction, sequence: z.string() });

const pageSize = '50';

/** Of each step of the board, the latest changed. */
const boardSize = 25;

/** Of a step when no other is shown: enough to see the longest at it. */
const maxOfStep = 1_000;

/** The onboardings of persons. */
export function createOnboardingReads({ deployment, deps }: Pick<ConsoleContext, 'deployment' | 'deps'>) {
  const { api } = deployment;
  let known: Deadlines | undefined;

  /** Read once. A role that may not read them sees ages without deadlines. */
  async function deadlines(): Promise<Deadlines | undefined> {
    known ??= await readDeadlines(deployment).catch(() => undefined);
    return known;
  }

  async function readStep(step: OnboardingStep, max: number) {
    const [limits, { items, hasMore }] = await Promise.all([deadlines(), readOnboardings(api, { step }, max)]);
    // The longest at the step first: it is the next to be late.
    const dated = items
      .map((item) => ({ ...item, deadlineOn: limits && deadlineOn(item, limits) }))
      .toSorted((one, other) => one.since.localeCompare(other.since));
    return { step, meaning: stepRow(step).meaning, items: dated, hasMore };
  }

  return {
    /** The steps where an onboarding is open, with the onboardings. Of one step, all up to a thousand; of those over their deadline, all. */
    board: defineRead(boardQuery, async ({ step: wanted, stalled }) => {
      const shown = openSteps.filter((step) => wanted === undefined || step === wanted);
      const columns = await Promise.all(shown.map((step) => readStep(step, sizeOf(wanted, stalled))));
      return columns
        .map(({ items, ...column }) => ({
          ...column,
          items: items.filter(({ stalledOn }) => stalled === undefined || stalledOn !== undefined),
        }))
        .filter(({ items }) => items.length > 0);
    }),
    onboardings: defineRead(listQuery, async (query) => {
      const page = { ...query, limit: pageSize };
      return api.send({ method: 'GET', path: '/onboardings', query: page }, onboardingListAnswer);
    }),
    /** The link of the video call. The log records who reads it, and without a record there is no link. */
    videoCallLink: defineRead(z.object({ externalId: z.string() }), async ({ externalId }) => {
      const { identificationUrl } = await createRevealingRead(deployment, externalId, deps)();
      return { identificationUrl };
    }),
    /** An onboarding with its deadline, and the diagram of its steps without the path. */
    onboarding: defineRead(z.object({ externalId: z.string(), direction }), async (query) => {
      const [answer, limits] = await Promise.all([readOnboarding(api, query.externalId), deadlines()]);
      const { step: current, mode } = answer;
      const { meaning, final } = stepRow(current);
      return {
        ...answer,
        path: requestPath`/onboardings/${query.externalId}`,
        meaning,
        isEnded: final,
        canRetry: canRetry(current),
        tone: toneOfOnboarding(answer),
        advice: adviseOnboarding(answer, 'button'),
        deadlineOn: limits && deadlineOn(answer, limits),
        diagram: await drawOnboarding({ direction: query.direction, mode, current, path: [] }),
      };
    }),
    /** What happened to an onboarding, and the diagram with the path. Searches the log, which costs on AWS. */
    onboardingHistory: defineRead(historyQuery, async (query) => {
      const onboarding = await readOnboarding(api, query.externalId);
      const logged = await readHistory(deployment, onboarding, deps, await readClock(deployment, deps));
      const entries = upToNow(logged, onboarding);
      const { step: current, mode } = onboarding;
      const path = entries.flatMap(({ what, step }) =>
        what === 'step' ? onboardingStepWords.filter((word) => word === step) : [],
      );
      return { entries, diagram: await drawOnboarding({ direction: query.direction, mode, current, path }) };
    }),
  };
}

/** The API has no filter for the deadline: a shorter list could miss those that stalled. */
function sizeOf(step: string | undefined, stalled: 'yes' | undefined): number {
  if (stalled === 'yes') return Number.POSITIVE_INFINITY;
  return step === undefined ? boardSize : maxOfStep;
}

/** Adds the present step if the log has no line of it: on AWS lines come late, and can be older than the log keeps them. */
export function upToNow(
  logged: readonly HistoryEntry[],
  { step, since }: Pick<OnboardingAnswer, 'step' | 'since'>,
): readonly HistoryEntry[] {
  const latest = logged.findLast(({ what }) => what === 'step');
  if (latest?.step === step) return logged;
  const present: HistoryEntry = { at: since, what: 'step', step, text: stepRow(step).meaning, eventId: undefined };
  return [...logged, present].toSorted((one, other) => one.at.localeCompare(other.at));
}
