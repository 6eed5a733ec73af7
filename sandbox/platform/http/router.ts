import { OpenAPIHono } from '@hono/zod-openapi';
import type * as z from 'zod';
import { type FieldProblem, RefusedError, unknownFieldMessage } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { plainMessage, valueAt } from '#shared/plain-message.ts';

/** An error body names at most this number of fields. */
const maxProblems = 100;

/** Creates routes that reject invalid input with an error body that names each field. */
export function createRouter(settings: SettingsStore): OpenAPIHono {
  return new OpenAPIHono({
    defaultHook: (result) => {
      if (result.success) return;
      const input = 'data' in result ? result.data : undefined;
      throw toRefusedError({ target: result.target, input, issues: result.error.issues }, settings);
    },
  });
}

/** Reads a value that a route hands on unchecked. @throws {RefusedError} Bad Request that names each field */
export function readFields<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw refusedBy(result.error.issues, input);
}

type Misfit = { readonly target: string; readonly input: unknown; readonly issues: readonly z.core.$ZodIssue[] };

function toRefusedError({ target, input, issues }: Misfit, settings: SettingsStore): RefusedError {
  const { fields, message } = refusedBy(issues, input, target);
  const isRequestorMissing = target === 'header' && fields.some(({ code }) => code === 'MISSING');
  return new RefusedError(isRequestorMissing ? settings.read().missingRequestorStatus : 400, message, { fields });
}

function refusedBy(issues: readonly z.core.$ZodIssue[], input: unknown, target = 'json'): RefusedError {
  const fields = issues.flatMap((issue) => describe(target, input, issue)).slice(0, maxProblems);
  const message = fields.map((problem) => `${problem.field}: ${problem.message}`).join('; ');
  return new RefusedError(400, message, { fields });
}

function describe(target: string, input: unknown, issue: z.core.$ZodIssue): readonly FieldProblem[] {
  const path = target === 'header' ? 'Requestor-ID' : issue.path.join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      field: path === '' ? key : `${path}.${key}`,
      code: 'UNKNOWN_FIELD',
      message: unknownFieldMessage,
    }));
  const isMissing = valueAt(input, issue.path) === undefined;
  return [{ field: path || 'body', code: isMissing ? 'MISSING' : 'INVALID', message: plainMessage(issue, isMissing) }];
}
