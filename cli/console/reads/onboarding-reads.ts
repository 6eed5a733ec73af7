import * as z from 'zod';
import { requestPath } from '#cli/command/request-url.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { readOnboarding } from '#cli/onboardings/show-onboarding.ts';
import { onboardingListAnswer } from '#shared/api/onboarding-answers.ts';
import {
  isFinalStep,
  type OnboardingStep,
  onboardingSteps,
  onboardingStepWords,
} from '#shared/onboarding/onboarding-steps.ts';
import { defineRead } from './define-read.ts';

const listQuery = z.object({ step: z.enum(onboardingStepWords).optional(), cursor: z.string().optional() });

const pageSize = '50';

/** Of each step of the board, the latest changed. */
const boardSize = '25';

/** The onboardings of persons. */
export function createOnboardingReads({ deployment: { api } }: Pick<ConsoleContext, 'deployment'>) {
  const readStep = async (step: OnboardingStep) => {
    const query = { step, limit: boardSize };
    const { items, nextCursor } = await api.send({ method: 'GET', path: '/onboardings', query }, onboardingListAnswer);
    return { step, items, hasMore: nextCursor !== undefined };
  };
  return {
    /** Every step where an onboarding is open, with its onboardings. */
    board: defineRead(z.object({}), async () => {
      const steps = onboardingSteps.map(({ step }) => step).filter((step) => !isFinalStep(step));
      const columns = await Promise.all(steps.map(readStep));
      return columns.filter(({ items }) => items.length > 0);
    }),
    onboardings: defineRead(listQuery, (query) =>
      api.send({ method: 'GET', path: '/onboardings', query: { ...query, limit: pageSize } }, onboardingListAnswer),
    ),
    /** An onboarding, and all steps with what each means. */
    onboarding: defineRead(z.object({ externalId: z.string() }), async ({ externalId }) => ({
      ...(await readOnboarding(api, externalId)),
      path: requestPath`/onboardings/${externalId}`,
      steps: onboardingSteps.filter(({ final }) => !final).map(({ step, meaning }) => ({ step, meaning })),
      ends: onboardingSteps.filter(({ final }) => final).map(({ step, meaning }) => ({ step, meaning })),
    })),
  };
}
