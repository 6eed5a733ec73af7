import type { PlatformReport } from '#cli/doctor/platform/evaluation.ts';
import { compareRecording } from '#cli/platform/recording/compare-recording.ts';
import { recordPlatform } from '#cli/platform/recording/record-platform.ts';
import { type Recording, recording } from '#cli/platform/recording/recording.ts';
import { type PlatformProfile, platformProfile } from '#shared/platform/profile/profile.ts';

const id = '0190a6f0-1234-7abc-8def-00000000000a';
const time = '2026-01-02T03:04:05Z';

export const person = {
  naturalPersonId: id,
  naturalPersonStatus: 'ACTIVE',
  createdOn: time,
  modifiedOn: time,
  firstName: 'Erika',
  lastName: 'Mustermann',
  birthDay: '1990-01-01',
  externalId: 'person-1',
};

export const verification = {
  identificationVerificationId: '0190a6f0-1234-7abc-8def-00000000000b',
  naturalPersonId: id,
  status: 'PENDING',
  createdOn: time,
  modifiedOn: time,
  identificationUrl: 'https://call.example/1',
};

const webhook = {
  eventType: 'TRANSFER_NOTIFICATION',
  url: 'https://partner.example/transfers',
  createdOn: time,
  modifiedOn: time,
};

export const undelivered = {
  id: '0190a6f0-1234-7abc-8def-00000000000c',
  webhook,
  body: JSON.stringify({ transferId: '0190a6f0-1234-7abc-8def-00000000000d', status: 'PROCESSED', modifiedOn: time }),
  errorMessage: 'timeout',
  createdOn: time,
  modifiedOn: time,
};

export const pageOf = (members: readonly unknown[]) => ({ data: members, pagination: { cursor: '', limit: 20 } });

/** Answers as the specification has them, by path. */
const specified: Readonly<Record<string, unknown>> = {
  '/oauth2/token': { access_token: 'token', token_type: 'Bearer', expires_in: 3600 },
  '/entities/natural-persons': pageOf([person]),
  [`/entities/natural-persons/${id}`]: person,
  '/entities/identification-verifications': pageOf([verification]),
  [`/entities/identification-verifications/${verification.identificationVerificationId}`]: verification,
  '/webhooks': [webhook],
  '/webhooks/TRANSFER_NOTIFICATION': webhook,
  '/webhooks-missing': [{ eventType: 'PROXY_NOTIFICATION' }],
  '/webhooks-undelivered': pageOf([undelivered]),
};

/** Records a platform that answers as the specification has it, but for these paths. */
export async function record(
  answers: Readonly<Record<string, unknown>>,
  profile: PlatformProfile = platformProfile.parse({}),
): Promise<Recording> {
  const all = { ...specified, ...answers };
  const recorded = await recordPlatform(
    {
      baseUrl: 'https://platform.example',
      authUrl: 'https://token.example',
      credentials: { clientId: 'client', clientSecret: 'secret' },
      requestor: 'self',
      profile,
      ownProfile: {},
    },
    { environment: 'test' },
    {
      fetch: async (url) => {
        const answer = all[new URL(url).pathname];
        return new Response(JSON.stringify(answer ?? { message: 'Not found.', errorCode: 'NO_SUCH_PERSON' }), {
          status: answer === undefined ? 404 : 200,
          headers: { 'content-type': 'application/json' },
        });
      },
      wait: async () => undefined,
      timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
      now: () => new Date(time),
    },
  );
  return recording.parse(JSON.parse(JSON.stringify(recorded)));
}

export function compare(recorded: Recording, profile: PlatformProfile = platformProfile.parse({})): PlatformReport {
  return compareRecording(recorded, { profile, ownProfile: {} });
}
