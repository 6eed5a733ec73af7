import { OpenAPIHono } from '@hono/zod-openapi';
import type * as z from 'zod';
import {
  type FieldProblem,
  type RefusedError,
  refusedFields,
  unknownFieldMessage,
} from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { plainMessage, valueAt } from '#shared/plain-message.ts';

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
  throw refusedFields(problemsOf('json', input, result.error.issues));
}

type Misfit = { readonly target: string; readonly input: unknown; readonly issues: readonly z.core.$ZodIssue[] };

function toRefusedError({ target, input, issues }: Misfit, settings: SettingsStore): RefusedError {
  const problems = problemsOf(target, input, issues);
  const isRequestorMissing = target === 'header' && problems.some(({ code }) => code === 'MISSING');
  return refusedFields(problems, isRequestorMissing ? settings.read().missingRequestorStatus : 400);
}

function problemsOf(target: string, input: unknown, issues: readonly z.core.$ZodIssue[]): readonly FieldProblem[] {
  return issues.flatMap((issue) => describe(target, input, issue));
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
