import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import { pagination } from '#sandbox/platform/core/page.ts';
import { type ErrorBody, errorBody } from '#sandbox/platform/core/refused-error.ts';
import type { AnswerForms } from './answer-forms.ts';
import type { CursorNumbers } from './cursor-numbers.ts';
import { type WrittenBy, writeValue } from './write-forms.ts';

export type Answered = {
  readonly status: number;
  /** The operationId of the call. */
  readonly operation: string | undefined;
};

type AnswerWrittenBy = WrittenBy & { readonly cursors: Pick<CursorNumbers, 'numberOf'> };

const page = z.strictObject({ data: z.array(z.unknown()), pagination });
const missing = z.array(z.strictObject({ eventType: z.string() }));
/** More than there are event types. */
const limitOfAll = 1_000;
const fields = z.record(z.string(), z.unknown());

/** Writes the body of an answer. What is not an answer of the platform is left as it is. */
export function writeAnswer(body: unknown, { status, operation }: Answered, by: AnswerWrittenBy): unknown {
  if (status >= 400) {
    const { data } = errorBody.safeParse(body);
    return data === undefined ? body : writeError(status, data, by.forms);
  }
  if (operation === 'getToken') return writeToken(body, by);
  if (operation === 'createNaturalPerson') return writeCreated(body, 'naturalPersonId', by.forms);
  if (operation === 'createIdentificationVerification')
    return writeCreated(body, 'identificationVerificationId', by.forms);
  if (operation === 'listMissingWebhooks') return writeMissing(body, by);
  const list = page.safeParse(body);
  if (!list.success) return writeValue('', body, by);
  const { data, pagination: place } = list.data;
  return { data: writeValue('', data, by), pagination: writePagination(place, by) };
}

/** An error body (section 7). */
function writeError(status: number, body: ErrorBody, { errors }: AnswerForms): object {
  if (errors === 'SPECIFIED') return body;
  const { message, responseType, requestId, errorCode, errorDetails = [] } = body;
  const title = STATUS_CODES[status] ?? 'Error';
  if (errors === 'NESTED') {
    const named = { errors: [{ code: errorCode ?? responseType, message }] };
    return { message: title, requestId, errorDetails: [named, ...errorDetails] };
  }
  const detail = errorCode === undefined ? message : `${errorCode}: ${message}`;
  return { type: 'about:blank', title, status, detail, instance: requestId };
}

function writeToken(body: unknown, by: WrittenBy): unknown {
  const written = writeValue('', body, by);
  const { data } = fields.safeParse(written);
  if (by.forms.tokenType || data === undefined) return written;
  const { token_type: _, ...others } = data;
  return others;
}

function writeCreated(body: unknown, name: string, { createdIds }: AnswerForms): unknown {
  const { data } = fields.safeParse(body);
  if (createdIds === 'NAMED' || data?.[name] === undefined) return body;
  const { [name]: id, ...others } = data;
  return { id, ...others };
}

function writeMissing(body: unknown, by: AnswerWrittenBy): unknown {
  const { missingWebhooks } = by.forms;
  const list = missing.safeParse(body);
  if (missingWebhooks === 'OBJECTS' || !list.success) return body;
  const words = list.data.map(({ eventType }) => eventType);
  if (missingWebhooks === 'TEXTS') return words;
  return { data: words, pagination: writePagination({ cursor: '', limit: limitOfAll }, by) };
}

function writePagination({ cursor, limit }: z.infer<typeof pagination>, by: AnswerWrittenBy): object {
  const { forms, cursors } = by;
  const written = { limit: writeValue('limit', limit, by) };
  if (cursor !== '') return { ...written, cursor: forms.cursors === 'NUMBERS' ? cursors.numberOf(cursor) : cursor };
  if (forms.lastCursor === 'ABSENT') return written;
  return { ...written, cursor: forms.lastCursor === 'NULL' ? null : '' };
}
