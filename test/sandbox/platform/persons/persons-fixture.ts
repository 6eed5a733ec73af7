import { expect } from 'vitest';
import * as z from 'zod';
import type { PlatformOptions } from '#sandbox/platform/app/platform.ts';
import { keepSent, registerWebhooks, startPlatform } from '#test/sandbox/platform/platform-fixture.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

const personsPath = '/entities/natural-persons';
const verificationsPath = '/entities/identification-verifications';

const createdPerson = z.object({ naturalPersonId: z.uuid() });
const createdVerification = z.object({ identificationVerificationId: z.uuid() });

export const videoIdent = { externalVerifier: 'EXTERNAL_VERIFIER_ID', identificationType: 'VIDEO_IDENT' };

export type TestPersons = ReturnType<typeof startPersons>;

/** A platform whose partner has registered for notifications of persons and verifications. */
export function startPersons(options: Partial<PlatformOptions> = {}) {
  const { sent, fetch } = keepSent();
  const platform = startPlatform({
    ...options,
    // The clock moves by days.
    settings: { tokenLifetime: 366 * 86_400, ...options.settings },
    fetch,
  });
  registerWebhooks(platform, ['NATURAL_PERSON_NOTIFICATION', 'IDENTIFICATION_VERIFICATION_NOTIFICATION']);

  /** A call with a token, for a requestor. */
  const as = (requestorId: string, method: string, path: string, body?: unknown) =>
    platform.send(method, path, body, { 'requestor-id': requestorId });

  const create = (data: object = {}) => platform.send('POST', personsPath, { ...samplePerson, ...data });
  const createVerification = (requestorId: string, data: object) =>
    as(requestorId, 'POST', verificationsPath, { ...videoIdent, ...data });

  return {
    ...platform,
    create,
    createVerification,
    /** The bodies of all that was notified so far, the oldest first. */
    notified: async (eventType = 'NATURAL_PERSON_NOTIFICATION') => {
      await platform.clock.advance(0);
      return sent.filter((one) => one.eventType === eventType).map(({ body }) => body);
    },
    /** The id of a person that is created over the API: RECEIVED. */
    createdId: async (data: object = {}) => createdPerson.parse((await create(data)).body).naturalPersonId,
    /** The id of a person that the control API makes, of this status. */
    madeId: async (status = 'ACTIVE', data: object = {}) => {
      const { body } = await platform.request('POST', '/control/natural-persons', { body: { status, ...data } });
      return createdPerson.parse(body).naturalPersonId;
    },
    verificationId: async (requestorId: string, naturalPersonId = requestorId) =>
      createdVerification.parse((await createVerification(requestorId, { naturalPersonId })).body)
        .identificationVerificationId,
    get: (naturalPersonId: string) => platform.send('GET', `${personsPath}/${naturalPersonId}`),
    update: (requestorId: string, naturalPersonId: string, body: unknown) =>
      as(requestorId, 'PATCH', `${personsPath}/${naturalPersonId}`, body),
    identify: (requestorId: string, naturalPersonId: string, body: unknown) =>
      as(requestorId, 'POST', `${personsPath}/${naturalPersonId}/identification`, body),
    getVerification: (requestorId: string, id: string) => as(requestorId, 'GET', `${verificationsPath}/${id}`),
    setStatus: (naturalPersonId: string, naturalPersonStatus: string) =>
      platform.request('POST', `/control/natural-persons/${naturalPersonId}/status`, { body: { naturalPersonStatus } }),
    endVideoCall: (id: string, outcome: string, more: object = {}) =>
      platform.request('POST', `/control/identification-verifications/${id}/video-call`, {
        body: { outcome, ...more },
      }),
  };
}

/** A `date-time` within the first second of the platform. */
export const atStart = expect.stringMatching(/^2026-11-21T08:00:00(\.\d{1,9})?Z$/);

/** A refusal that names this field. */
export function refusedFor(field: string, status = 400) {
  return {
    status,
    body: expect.objectContaining({
      errorDetails: expect.arrayContaining([expect.objectContaining({ field })]),
    }),
  };
}
