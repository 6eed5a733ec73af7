import * as z from 'zod/mini';
import { type CallOptions, checkInput } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { type ListOptions, listAll, type PlatformList } from '#shared/platform/client/page.ts';
import { httpsUrl, pathSegment, platformId, type SentFields, sentWord } from '#shared/platform/fields/fields.ts';
import {
  exampleEnum,
  lenient,
  maybe,
  receivedId,
  receivedStatus,
  receivedText,
  tolerantObject,
  type Unreadable,
  withId,
  withUnreadable,
} from '#shared/platform/fields/received.ts';
import { oncePerTimes, receivedTime } from '#shared/platform/fields/timestamp.ts';

const path = '/entities/identification-verifications';

/** Section 3.2, and the further statuses that were seen. Words for failure are not known. */
export const identificationVerificationStatusWords = ['RECEIVED', 'PENDING', 'APPROVED'] as const;

/** Section 2.5. What is not listed is kept. */
export const identificationVerification = oncePerTimes((times) =>
  withId(
    'identificationVerificationId',
    tolerantObject({
      identificationVerificationId: receivedId,
      naturalPersonId: lenient(receivedId),
      externalVerifier: lenient(receivedText),
      identificationType: lenient(exampleEnum(['VIDEO_IDENT'])),
      /** The link to the video call; missing until the verification leaves RECEIVED. */
      identificationUrl: lenient(receivedText),
      documentId: lenient(receivedText),
      naturalPersonIdentificationId: lenient(receivedText),
      createdOn: receivedTime(times),
      modifiedOn: receivedTime(times),
      status: lenient(receivedStatus(identificationVerificationStatusWords)),
    }),
  ),
);

export type IdentificationVerification = z.infer<ReturnType<typeof identificationVerification>>;

function newIdentificationVerification(limits: SentFields) {
  return z.strictObject({
    naturalPersonId: platformId,
    /** Only one vendor is supported. */
    externalVerifier: sentWord(limits),
    identificationType: z.literal('VIDEO_IDENT', {
      error: 'must be VIDEO_IDENT, nothing else is supported (section 2.5)',
    }),
    /** Where the person is sent after the video call, with every outcome. */
    redirectUrl: z.optional(httpsUrl),
  });
}

export type NewIdentificationVerification = z.input<ReturnType<typeof newIdentificationVerification>>;

const created = withId(
  'identificationVerificationId',
  tolerantObject({ identificationVerificationId: z.pipe(receivedId, pathSegment) }),
);

/**
 * Create Identification Verification (section 4). Sent once, never blindly again: if the answer is lost, list the
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
  const schema = newIdentificationVerification(client.profile.sentFields);
  const body = checkInput(schema, verification, { operation, section: '2.5' });
  const { identificationVerificationId } = await client.request(
    created,
    { operation, requestorId, method: 'POST', path, body },
    options,
  );
  return { identificationVerificationId };
}

/** The operation, as errors name it. */
export const getIdentificationVerifications = 'Get Identification Verifications';

/** Get Identification Verifications (section 4). */
export function listIdentificationVerifications(
  client: PlatformClient,
  requestorId: string | undefined,
  options: ListOptions = {},
): PlatformList<IdentificationVerification> {
  const request = { operation: getIdentificationVerifications, requestorId, method: 'GET', path } as const;
  return listAll(client, identificationVerification(client.profile.times), request, options);
}

/** A verification without a readable naturalPersonId may be the wanted one, and counts as unreadable. */
const verificationToFind = oncePerTimes((times) =>
  z.pipe(
    z.unknown().check(z.refine(hasReadablePerson, { path: ['naturalPersonId'], error: 'cannot be read' })),
    identificationVerification(times),
  ),
);

const personOfVerification = z.object({ naturalPersonId: maybe(receivedId) });

function hasReadablePerson(verification: unknown): boolean {
  return (
    typeof verification !== 'object' || verification === null || personOfVerification.safeParse(verification).success
  );
}

/** Get Identification Verifications (section 4), to search for an open one of a person. */
export function searchIdentificationVerifications(
  client: PlatformClient,
  requestorId: string | undefined,
  options: ListOptions = {},
): PlatformList<IdentificationVerification> {
  const request = { operation: getIdentificationVerifications, requestorId, method: 'GET', path } as const;
  return listAll(client, verificationToFind(client.profile.times), request, options);
}

const verificationInFull = oncePerTimes((times) =>
  withUnreadable(
    { status: maybe(receivedStatus(identificationVerificationStatusWords)) },
    identificationVerification(times),
  ),
);

/**
 * Get Identification Verification (section 4): where `identificationUrl` is read. `unreadable` names its status, if it is there and
 * cannot be read.
 */
export async function getIdentificationVerification(
  client: PlatformClient,
  requestorId: string | undefined,
  identificationVerificationId: string,
  options?: CallOptions,
): Promise<IdentificationVerification & Unreadable> {
  const operation = 'Get Identification Verification';
  const id = checkInput(platformId, identificationVerificationId, {
    operation,
    section: '2',
    field: 'identificationVerificationId',
  });
  return client.request(
    verificationInFull(client.profile.times),
    { operation, requestorId, method: 'GET', path: `${path}/${id}` },
    options,
  );
}
