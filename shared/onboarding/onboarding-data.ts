import * as z from 'zod/mini';
import { identificationFields } from '#shared/platform/resources/natural-person-identification.ts';
import { storedNewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';

/** What of a request is still needed. It is personal data. */
export const onboardingData = z.object({
  /** With its externalId; until the platform has the person. */
  person: z.optional(storedNewNaturalPerson),
  /** Supplied by the partner (section 4.2); until the platform has it. */
  identification: z.optional(identificationFields),
  /** Where the person goes after the video call; until it is APPROVED. */
  redirectUrl: z.optional(z.string()),
});

export type OnboardingData = Readonly<z.output<typeof onboardingData>>;

/** What a request is compared by when it comes again: no more of it is kept than that. */
export const requestDigests = z.object({
  salt: z.string(),
  whole: z.string(),
  fields: z.record(z.string(), z.string()),
});

export type RequestDigests = Readonly<z.output<typeof requestDigests>>;
