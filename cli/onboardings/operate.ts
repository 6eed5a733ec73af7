import { messageOf } from '#cli/command/command-error.ts';
import { requestPath } from '#cli/command/request-url.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import { type OnboardingAnswer, onboardingAnswer } from '#shared/api/onboarding-answers.ts';
import { concealLink, type ShownOnboarding } from './conceal-link.ts';

export type OnboardingOperation = 'retry' | 'cancel';

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

/** Retries or cancels an onboarding. @throws {CommandError} where the API refuses */
export async function operate(
  api: ApiClient,
  operation: OnboardingOperation,
  externalId: string,
): Promise<ShownOnboarding> {
  const path = `${requestPath`/onboardings/${externalId}`}/${operation}`;
  return concealLink(await api.send({ method: 'POST', path }, onboardingAnswer));
}

/** Retries or cancels onboardings one after the other. A refusal of one does not keep the others from being done. */
export async function operateAll(
  api: ApiClient,
  operation: OnboardingOperation,
  externalIds: readonly string[],
  onDone: (done: number) => void,
): Promise<readonly OperationResult[]> {
  const results: OperationResult[] = [];
  for (const externalId of externalIds) {
    const result = await operate(api, operation, externalId).then(
      ({ step }): OperationResult => ({ externalId, step }),
      (error: unknown): OperationResult => ({ externalId, problem: messageOf(error).split('\n')[0] ?? '' }),
    );
    results.push(result);
    onDone(results.length);
  }
  return results;
}
