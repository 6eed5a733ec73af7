import * as z from 'zod';
import { countryCodes, euLanguages } from '#shared/platform/fields/fields.ts';

/** A received identifier: a UUID (section 2), in upper or lower case. */
export const uuid = z.guid().toLowerCase();

/** `date-time` fields (section 2): UTC. */
export const dateTime = z.iso.datetime();

/** `date` fields (section 2): an existing calendar day. */
export const date = z.iso.date();

/** Section 2. */
export const countryCode = z
  .string()
  .refine((code) => countryCodes.has(code), 'must be an ISO 3166-1 alpha-2 country code')
  .meta({ id: 'CountryCode', enum: [...countryCodes] });

/** Section 2. */
export const language = z
  .string()
  .refine((code) => euLanguages.has(code), 'must be the ISO 639-1 code of an EU language')
  .meta({ id: 'Language', enum: [...euLanguages] });

/** An enum of which the specification lists only some words (section 2.6): any word in capitals is accepted. */
export const enumWord = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'must be a word in capitals');

/** The reason for a failure: in the notification only, never in a GET. */
export const validationError = z.strictObject({ errorType: enumWord, description: z.string().min(1) });

export type ValidationError = z.infer<typeof validationError>;
