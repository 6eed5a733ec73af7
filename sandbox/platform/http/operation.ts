import * as z from 'zod';
import { errorBody } from '#sandbox/platform/core/refused-error.ts';

/** The id of the natural person on whose behalf a call is made (section 5). */
export const requestorHeader = z.object({
  'requestor-id': z.guid().toLowerCase().describe('Requestor-ID: the id of a natural person (section 5)'),
});

/** The same, of an operation that reads it only with the setting `requireRequestorEverywhere`. */
export const furtherRequestorHeader = z.object({
  'requestor-id': z
    .string()
    .toLowerCase()
    .optional()
    .describe('Requestor-ID: needed with the setting requireRequestorEverywhere only'),
});

/** The body of a request, which must be JSON (section 4). */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}

export function json<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } };
}

const descriptions = {
  400: 'Bad Request',
  403: 'Forbidden: the Requestor-ID is missing',
  404: 'Not Found',
  409: 'Conflict',
  501: 'Not Implemented',
} as const;

type ListedStatus = keyof typeof descriptions;

const failure = json('Any other failure', errorBody);

/**
 * The answers with an error body: Bad Request, those of section 7, and as `default` every other one (401, 429, 5xx).
 * Handlers throw these answers.
 */
export function errors(...statuses: readonly Exclude<ListedStatus, 400>[]): { readonly default: typeof failure } {
  const listed = [400 as const, ...statuses].map((status): [string, typeof failure] => [
    String(status),
    json(descriptions[status], errorBody),
  ]);
  return { ...Object.fromEntries(listed), default: failure };
}
