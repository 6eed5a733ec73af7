import { OpenAPIHono } from '@hono/zod-openapi';
import type * as z from 'zod';
import { type FieldProblem, RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings.ts';

/** Routes of the platform: what does not fit their schemas is refused with an error body that names each field. */
export function createRouter(settings: SettingsStore): OpenAPIHono {
  return new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success) throw toRefusedError(result.target, result.error.issues, settings);
    },
  });
}

function toRefusedError(target: string, issues: readonly z.core.$ZodIssue[], settings: SettingsStore): RefusedError {
  const fields = issues.flatMap((issue) => describe(target, issue));
  const message = fields.map((problem) => `${problem.field}: ${problem.message}`).join('; ');
  const isRequestorMissing = target === 'header' && fields.some(({ code }) => code === 'MISSING');
  return new RefusedError(isRequestorMissing ? settings.read().missingRequestorStatus : 400, message, { fields });
}

function describe(target: string, issue: z.core.$ZodIssue): readonly FieldProblem[] {
  const path = target === 'header' ? 'Requestor-ID' : issue.path.join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      field: path === '' ? key : `${path}.${key}`,
      code: 'UNKNOWN_FIELD',
      message: 'There is no such field, or it cannot be written.',
    }));
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return [{ field: path || 'body', code: isMissing ? 'MISSING' : 'INVALID', message: issue.message }];
}
