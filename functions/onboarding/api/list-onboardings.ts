import * as z from 'zod/mini';
import { readCursor, writeCursor } from '#shared/aws/list/list-cursor.ts';
import type { HttpAnswer } from '#shared/lambda/http-answer.ts';
import { listAnswer, listTime, pageParameters, readListRequest, unknownCursor } from '#shared/lambda/list-request.ts';
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
  .check(
    z.refine(({ updatedFrom = '', updatedTo }) => updatedTo === undefined || updatedFrom <= updatedTo, {
      path: ['updatedFrom'],
      error: 'must not be later than updatedTo',
    }),
  );

/**
 * Answers `GET /onboardings`: 200 with a page, 400 with each query parameter that is invalid.
 *
 * @param viewOf what the partner may see of an onboarding
 */
export function createAnswerList(list: ListOnboardings, viewOf: (onboarding: ListedOnboarding) => object) {
  return async (query: Readonly<Record<string, string | undefined>> | undefined): Promise<HttpAnswer> => {
    const { parameters, refusal } = readListRequest(onboardingListParameters, query);
    if (refusal !== undefined) return refusal;
    const { limit, cursor, ...filter } = parameters;
    const identity = { list: 'onboardings', ...filter };
    const after = cursor === undefined ? undefined : readCursor(cursor, identity);
    if (cursor !== undefined && after === undefined) return unknownCursor;
    const { rows, next } = await list({ filter, limit, after });
    return listAnswer(
      rows.map((row) => ({ ...viewOf(row), updatedOn: row.updatedOn })),
      next && writeCursor(next, identity),
    );
  };
}
