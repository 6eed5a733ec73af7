import * as z from 'zod/mini';
import type { OnboardingAnswer, OnboardingListAnswer } from '#shared/api/onboarding-answers.ts';
import type { HttpAnswer } from '#shared/lambda/http-api.ts';
import {
  inOrder,
  listTime,
  pageAnswer,
  pageParameters,
  type QueryParameters,
  readListRequest,
} from '#shared/lambda/list-request.ts';
import type { ListOnboardings } from '#shared/onboarding/onboarding-list.ts';
import type { ListedOnboarding } from '#shared/onboarding/onboarding-row.ts';
import { onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';

/** The query parameters of `GET /onboardings`. */
export const onboardingListParameters = z
  .strictObject({
    ...pageParameters,
    step: z.optional(z.enum(onboardingStepWords, { error: 'must be a step that the reference names' })),
    updatedFrom: z.optional(listTime),
    updatedTo: z.optional(listTime),
  })
  .check(inOrder('updatedFrom', 'updatedTo'));

/**
 * Answers `GET /onboardings`: 200 with a page, 400 with each query parameter that is invalid.
 *
 * @param viewOf what the partner may see of an onboarding
 */
export function createAnswerList(list: ListOnboardings, viewOf: (onboarding: ListedOnboarding) => OnboardingAnswer) {
  return async (query: QueryParameters): Promise<HttpAnswer> => {
    const request = readListRequest('onboardings', onboardingListParameters, query);
    if (request.refusal !== undefined) return request.refusal;
    const { limit, cursor: _, ...filter } = request.parameters;
    const { rows, next } = await list({ filter, limit, after: request.after });
    const items = rows.map((row) => ({ ...viewOf(row), updatedOn: row.updatedOn }));
    return pageAnswer<OnboardingListAnswer>({ items, nextCursor: request.cursorAt(next) });
  };
}
