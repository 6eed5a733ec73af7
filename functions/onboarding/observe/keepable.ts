import type * as z from 'zod/mini';
import { PlatformSchemaError } from '#shared/platform/client/errors.ts';
import { pathSegment, words } from '#shared/platform/fields/fields.ts';

/**
 * The texts of the platform that the row of an onboarding keeps. DynamoDB takes no row above 400 KB, and no key of an index that
 * is empty or above 2 KB. A write that fails each time would repeat the call without a back-off.
 */
const kept = {
  naturalPersonId: pathSegment,
  identificationVerificationId: pathSegment,
  identificationUrl: words(4_096),
} as const satisfies Readonly<Record<string, z.ZodMiniType<string>>>;

/** The text, where a row can keep it. @throws {PlatformSchemaError} where it cannot */
export function keepable(operation: string, field: keyof typeof kept, text: string): string {
  if (kept[field].safeParse(text).success) return text;
  throw new PlatformSchemaError(operation, [field]);
}
