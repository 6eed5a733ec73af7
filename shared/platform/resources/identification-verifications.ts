import * as z from 'zod/mini';
import { checkInput } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { type ListOptions, listAll, type PlatformList } from '#shared/platform/client/page.ts';
import type { CallOptions } from '#shared/platform/client/platform-request.ts';
import { enumWord, httpsUrl, pathSegment, uuid } from '#shared/platform/fields/fields.ts';
import { maybe, openEnum } from '#shared/platform/fields/open-enum.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';

const path = '/entities/identification-verifications';

/** Section 3.2, and the further statuses that were seen. Words for failure are not known. */
export const identificationVerificationStatusWords = ['RECEIVED', 'PENDING', 'APPROVED'] as const;

/** Section 2.5. What is not listed is kept. */
const identificationVerification = z.looseObject({
  identificationVerificationId: z.string(),
  naturalPersonId: maybe(z.string()),
  externalVerifier: maybe(z.string()),
  identificationType: maybe(openEnum(['VIDEO_IDENT'])),
  /** The link to the video call; missing until the verification leaves RECEIVED. */
  identificationUrl: maybe(z.string()),
  documentId: maybe(z.string()),
  naturalPersonIdentificationId: maybe(z.string()),
  createdOn: maybe(timestamp),
  modifiedOn: maybe(timestamp),
  status: maybe(openEnum(identificationVerificationStatusWords)),
});

export type IdentificationVerification = z.infer<typeof identificationVerification>;

const newIdentificationVerification = z.strictObject({
  naturalPersonId: uuid,
  /** Only one vendor is supported. */
  externalVerifier: enumWord,
  identificationType: z.literal('VIDEO_IDENT', {
    error: 'must be VIDEO_IDENT, nothing else is supported (section 2.5)',
  }),
  /** Where the person is sent after the video call, with every outcome. */
  redirectUrl: z.optional(httpsUrl),
});

export type NewIdentificationVerification = z.input<typeof newIdentificationVerification>;

const created = z.looseObject({ identificationVerificationId: pathSegment });

/**
 * Create Identification Verification (section 4). Sent once, never blindly again: where the answer is lost, list the
 * verifications of the person first.
 *
 * @param requestorId who does it (section 5)
 */
export async function createIdentificationVerification(
  client: PlatformClient,
  requestorId: string,
  verification: NewIdentificationVerification,
  options?: CallOptions,
): Promise<{ readonly identificationVerificationId: string }> {
  const operation = 'Create Identification Verification';
  const body = checkInput(newIdentificationVerification, verification, { operation, section: '2.5' });
  const { identificationVerificationId } = await client.request(
    created,
    { operation, requestorId, method: 'POST', path, body },
    options,
  );
  return { identificationVerificationId };
}

/** Get Identification Verifications (section 4). */
export function listIdentificationVerifications(
  client: PlatformClient,
  requestorId: string | undefined,
  options: ListOptions = {},
): PlatformList<IdentificationVerification> {
  const operation = 'Get Identification Verifications';
  return listAll(client, identificationVerification, { operation, requestorId, method: 'GET', path }, options);
}

/** Get Identification Verification (section 4): where `identificationUrl` is read. */
export async function getIdentificationVerification(
  client: PlatformClient,
  requestorId: string | undefined,
  identificationVerificationId: string,
  options?: CallOptions,
): Promise<IdentificationVerification> {
  const operation = 'Get Identification Verification';
  const id = checkInput(uuid, identificationVerificationId, {
    operation,
    section: '2',
    field: 'identificationVerificationId',
  });
  return client.request(
    identificationVerification,
    { operation, requestorId, method: 'GET', path: `${path}/${id}` },
    options,
  );
}
