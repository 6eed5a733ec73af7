import { ApiError, messageOf } from '#cli/command/command-error.ts';
import { requestPath } from '#cli/command/request-url.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import { concealLink } from '#shared/api/conceal-link.ts';
import {
  type OnboardingAnswer,
  type OnboardingProgressAnswer,
  onboardingAnswer,
} from '#shared/api/onboarding-answers.ts';
import { readOnboarding } from './read-onboarding.ts';

export type OnboardingOperation = 'retry' | 'cancel';

/** One of several. */
export type OperationTarget = {
  readonly externalId: string;
  /** As a list had it; undefined if the operator names the onboarding. */
  readonly listed?: Pick<OnboardingAnswer, 'step' | 'stalledOn'>;
};

/** What came of one of several. */
export type OperationResult = {
  readonly externalId: string;
  readonly step?: string;
  readonly problem?: string;
};

/** What the API takes in place of an externalId. */
export function keyOf({ onboardingId }: Pick<OnboardingAnswer, 'onboardingId'>): string {
  return `onboardingId:${onboardingId}`;
}

/** Retries or cancels an onboarding. @throws {CommandError} if the API refuses */
export async function operate(
  api: ApiClient,
  operation: OnboardingOperation,
  externalId: string,
): Promise<OnboardingProgressAnswer> {
  const path = `${requestPath`/onboardings/${externalId}`}/${operation}`;
  return concealLink(await api.send({ method: 'POST', path }, onboardingAnswer));
}

/** Each onboarding of a list, which is left as it is if it moves on meanwhile. */
export function targetsOf(listed: readonly OnboardingProgressAnswer[]): readonly OperationTarget[] {
  return listed.map((one) => ({ externalId: keyOf(one), listed: one }));
}

/** What came of several. */
export type OperationResults = {
  /** Of those that were tried. */
  readonly results: readonly OperationResult[];
  /** The error of the last one, which any other one would meet: the API does not answer, or refuses these credentials. */
  readonly stoppedBy?: unknown;
};

/** Retries or cancels onboardings one after the other. A refused operation does not stop the others. */
export async function operateAll(
  api: ApiClient,
  operation: OnboardingOperation,
  targets: readonly OperationTarget[],
  onDone: (done: number) => void,
): Promise<OperationResults> {
  const results: OperationResult[] = [];
  for (const target of targets) {
    try {
      results.push(await operateOne(api, operation, target));
    } catch (error) {
      results.push({ externalId: target.externalId, problem: messageOf(error).split('\n')[0] ?? '' });
      if (!(error instanceof ApiError) || error.status === 403) return { results, stoppedBy: error };
    }
    onDone(results.length);
  }
  return { results };
}

/** Reads a listed onboarding again first: minutes can pass after the list, and a request has no step. @throws {CommandError} */
async function operateOne(
  api: ApiClient,
  operation: OnboardingOperation,
  { externalId, listed }: OperationTarget,
): Promise<OperationResult> {
  if (listed !== undefined) {
    const { step, stalledOn } = await readOnboarding(api, externalId);
    if (step !== listed.step) return { externalId, problem: `is at ${step} now` };
    if (listed.stalledOn !== undefined && stalledOn !== listed.stalledOn)
      return { externalId, problem: `is at ${step} now, with a new deadline` };
  }
  const { step } = await operate(api, operation, externalId);
  return { externalId, step };
}
