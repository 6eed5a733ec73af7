import * as z from 'zod';
import { dateTime, enumWord } from '#sandbox/platform/core/fields.ts';

/** What is signed. */
export const newSignedDocument = z.strictObject({
  name: z.string().default('Terms and conditions'),
  documentType: enumWord.default('TERMS_AND_CONDITIONS'),
  version: z.int().default(1),
});

export type NewSignedDocument = z.infer<typeof newSignedDocument>;

export const signedDocument = z
  .strictObject({
    partnerDocumentId: z.uuid(),
    name: z.string(),
    documentType: enumWord,
    version: z.int(),
    customerId: z.uuid(),
    createdOn: dateTime,
    modifiedOn: dateTime,
  })
  .meta({ id: 'SignedDocument' });
