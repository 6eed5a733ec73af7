import * as z from 'zod';
import { dateTime, enumWord, uuid } from '#sandbox/platform/core/fields.ts';

/** Body of Create Identification Verification (section 4). */
export const newIdentificationVerification = z
  .strictObject({
    naturalPersonId: uuid,
    externalVerifier: enumWord.describe('Supported: that of the setting externalVerifier'),
    identificationType: enumWord.describe('Supported: VIDEO_IDENT'),
    redirectUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'The page for the person after the video call, for every outcome. Unknown with the setting acceptRedirectUrl false',
      ),
  })
  .meta({ id: 'NewIdentificationVerification' });

export type NewIdentificationVerification = z.infer<typeof newIdentificationVerification>;

/** Section 2.5. Without identificationUrl while RECEIVED; with the ids of what was made of it once APPROVED. */
export const identificationVerification = z
  .strictObject({
    identificationVerificationId: z.uuid(),
    naturalPersonId: z.uuid(),
    externalVerifier: enumWord,
    identificationType: enumWord,
    identificationUrl: z.url().optional(),
    documentId: z.uuid().optional(),
    naturalPersonIdentificationId: z.uuid().optional(),
    createdOn: dateTime,
    modifiedOn: dateTime,
    status: enumWord.describe('RECEIVED, PENDING, APPROVED, or another word: it failed'),
  })
  .meta({ id: 'IdentificationVerification' });

export type IdentificationVerification = z.infer<typeof identificationVerification>;

/** What every identificationUrl begins with. */
export const videoCallsAt = 'https://video-ident.example/calls/';

/** How a video call ends: APPROVED, or any other word, for a failure. */
export const videoCallOutcome = enumWord.refine(
  (word) => word !== 'RECEIVED' && word !== 'PENDING',
  'must be APPROVED, or another word for a failure',
);
