import { describe, expect, it } from 'vitest';
import { PlatformError, PlatformInputError } from '#shared/platform/client/errors.ts';
import { isKnownWord } from '#shared/platform/fields/received.ts';
import {
  createIdentificationVerification,
  getIdentificationVerification,
  identificationVerificationStatusWords,
} from '#shared/platform/resources/identification-verifications.ts';
import { destroy, empty, json, platformOfFile } from '#test/shared/platform/client/platform-server.ts';
import {
  createTestClient,
  errorOf,
  otherId,
  personId,
  requestor,
  saidBy,
} from '#test/shared/platform/client/test-client.ts';

const server = platformOfFile();

const client = () => createTestClient(server.baseUrl, { profile: { sentFields: { hasCapitalEnums: true } } }).client;
const path = '/entities/identification-verifications';
const verification = {
  naturalPersonId: personId,
  externalVerifier: 'EXTERNAL_VERIFIER_ID',
  identificationType: 'VIDEO_IDENT' as const,
};

describe('section 4, Create Identification Verification', () => {
  it('sends body and Requestor-ID', async () => {
    server.answerWith(json(200, { identificationVerificationId: otherId, more: 1 }));
    const withRedirect = { ...verification, redirectUrl: 'https://partner.example/after?x=1' };
    expect(await createIdentificationVerification(client(), requestor, withRedirect)).toEqual({
      identificationVerificationId: otherId,
    });
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: path });
    expect(server.requests[0]?.headers['requestor-id']).toBe(requestor);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(withRedirect);
  });

  it.each([
    ['identificationType', 'must be VIDEO_IDENT, nothing else is supported (section 2.5)', 'AUTO_IDENT'],
    ['externalVerifier', 'must be a word in capitals', 'some verifier'],
    ['naturalPersonId', 'must be a UUID (section 2)', 'x'],
    ['redirectUrl', 'must be HTTPS, and encoded (section 2.5)', 'http://partner.example'],
    ['status', 'cannot be written (section 2.5)', 'RECEIVED'],
  ])('refuses a body when %s %s', async (field, problem, value) => {
    server.answerWith(json(200, {}));
    const wrong = { ...verification, [field]: value };
    const error = await errorOf(PlatformInputError, createIdentificationVerification(client(), requestor, wrong));
    expect(error.problems).toEqual([expect.stringContaining(`${field}: ${problem}`)]);
    expect(saidBy(error)).not.toContain(`"${value}"`);
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    ['a broken connection', destroy],
    ['a 503', empty(503)],
  ])('never repeats a create that ends in %s', async (_, respond) => {
    server.answerWith(respond);
    await errorOf(PlatformError, createIdentificationVerification(client(), requestor, verification));
    expect(server.requests).toHaveLength(1);
  });
});

describe('section 4, Get Identification Verification', () => {
  it('refuses a malformed id before any call', async () => {
    server.answerWith(json(200, {}));
    const promise = getIdentificationVerification(client(), requestor, 'x');
    const error = await errorOf(PlatformInputError, promise);
    expect(error.problems).toEqual(['identificationVerificationId: must be a UUID (section 2)']);
    expect(server.requests).toHaveLength(0);
  });

  it('accepts an unknown status, and fields that are missing or null (section 3.2)', async () => {
    const body = {
      identificationVerificationId: otherId,
      identificationUrl: null,
      documentId: null,
      modifiedOn: null,
      status: 'FAILED',
      more: 1,
    };
    server.answerWith(json(200, body));
    const received = await getIdentificationVerification(client(), requestor, otherId);
    expect(received).toEqual(body);
    expect(isKnownWord(identificationVerificationStatusWords, received.status ?? '')).toBe(false);
  });
});
