import type { Context, MiddlewareHandler } from 'hono';
import { defaultLimit } from '#sandbox/platform/core/page.ts';
import type { FaultEnv } from '#sandbox/platform/faults/apply-faults.ts';
import { parseJson } from '#shared/parse-json.ts';
import { type AnswerForms, answerForms } from './answer-forms.ts';
import { type CursorNumbers, createCursorNumbers } from './cursor-numbers.ts';
import { writeAnswer } from './write-answer.ts';
import type { WrittenBy } from './write-forms.ts';

export type FormAnswersDeps = {
  readonly writtenBy: () => WrittenBy;
  /** The operationId of the call; undefined if it is not an operation. */
  readonly operationOf: (context: Context) => string | undefined;
};

/** Writes the answers of the API in the forms of the setting. Calls are read as ever, but for the cursors that it has written. */
export function formAnswers({ writtenBy, operationOf }: FormAnswersDeps): MiddlewareHandler<FaultEnv> {
  const cursors = createCursorNumbers();
  return async (context, next) => {
    const by = writtenBy();
    if (isSpecified(by)) return next();
    readQuery(context, by.forms, cursors);
    await next();
    if (context.get('isSentUnchanged') === true) return undefined;
    const { status, headers } = context.res;
    if (status === 202 && context.res.body === null && by.forms.acceptedText)
      replace(context, 'Accepted', 'text/plain');
    if (headers.get('content-type')?.startsWith('application/json') !== true) return undefined;
    const text = await context.res.clone().text();
    const body = parseJson(text);
    if (body === undefined) return undefined;
    const written = JSON.stringify(writeAnswer(body, { status, operation: operationOf(context) }, { ...by, cursors }));
    const isProblem = status >= 400 && by.forms.errors === 'PROBLEM';
    if (written !== text) replace(context, written, isProblem ? 'application/problem+json' : 'application/json');
    return undefined;
  };
}

const specified = Object.entries(answerForms.parse({}));

/** Whether each answer is written as it is anyway. */
function isSpecified({ forms, profile }: WrittenBy): boolean {
  return (
    profile.verificationWords === undefined && specified.every(([name, form]) => Reflect.get(forms, name) === form)
  );
}

/** Puts the cursor and the limit of a call in the place of what stands for them. */
function readQuery({ req }: Context, { cursors: form, pageSize }: AnswerForms, cursors: CursorNumbers): void {
  if (req.method !== 'GET') return;
  const url = new URL(req.url);
  const [cursor, limit] = ['cursor', 'limit'].map((name) => url.searchParams.get(name));
  if (form === 'NUMBERS' && cursor) url.searchParams.set('cursor', cursors.textOf(cursor));
  const items = Number(limit ?? defaultLimit);
  // Any other limit is for the list to reject.
  if (pageSize !== null && Number.isInteger(items) && items > pageSize) url.searchParams.set('limit', String(pageSize));
  if (url.href !== req.url) req.raw = new Request(url, { headers: req.raw.headers });
}

function replace(context: Context, body: string, type: string): void {
  const { status, headers: before } = context.res;
  const headers = new Headers(before);
  headers.delete('content-length');
  headers.set('content-type', type);
  // Otherwise Hono keeps the headers of the answer before.
  context.res = undefined;
  context.res = new Response(body, { status, headers });
}
