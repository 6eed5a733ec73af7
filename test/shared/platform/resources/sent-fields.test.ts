import { describe, expect, it } from 'vitest';
import { PlatformInputError } from '#shared/platform/client/errors.ts';
import { unknownWord } from '#shared/platform/fields/received.ts';
import { sendNewNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import { createIdentificationVerification } from '#shared/platform/resources/identification-verifications.ts';
import { listNaturalPersons } from '#shared/platform/resources/list-natural-persons.ts';
import type { NewNaturalPersonIdentification } from '#shared/platform/resources/natural-person-identification.ts';
import { createNaturalPersonIdentification } from '#shared/platform/resources/natural-persons.ts';
import { registerWebhook } from '#shared/platform/resources/webhooks.ts';
import { json, platformOfFile } from '#test/shared/platform/client/platform-server.ts';
import {
  all,
  createTestClient,
  errorOf,
  personId,
  requestor,
  type TestClientOptions,
} from '#test/shared/platform/client/test-client.ts';
import { sampleIdentification, samplePerson } from './sample-persons.ts';

const server = platformOfFile();

function clientOf(profile: TestClientOptions['profile'] = {}) {
  server.answerWith(json(200, { naturalPersonId: personId, identificationVerificationId: personId, data: [] }));
  return createTestClient(server.baseUrl, { profile }).client;
}

type Client = ReturnType<typeof clientOf>;

const createPerson = (fields: object) => (client: Client) =>
  sendNewNaturalPerson(client, { ...samplePerson, ...fields });
const identify = (fields: Partial<NewNaturalPersonIdentification>, today = '2026-01-02T12:00:00Z') => {
  const identification = { ...sampleIdentification, ...fields };
  return (client: Client) =>
    createNaturalPersonIdentification(client, requestor, personId, identification, { today: new Date(today) });
};
const verify = (externalVerifier: string) => (client: Client) =>
  createIdentificationVerification(client, requestor, {
    naturalPersonId: personId,
    externalVerifier,
    identificationType: 'VIDEO_IDENT',
  });
const register = (name: string, value: string) => (client: Client) =>
  registerWebhook(client, { eventType: 'X', url: 'https://partner.example', headers: [{ name, value }] });

const sentFields = {
  maxTextLength: 255,
  zip: { minLength: 3, maxLength: 10 },
  phone: { minLength: 3, maxLength: 20 },
  hasCapitalEnums: true,
  hasAsciiHeaders: true,
};

describe('a limit that the specification does not state', () => {
  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['lastName', createPerson({ lastName: 'x'.repeat(256) })],
    ['mainAddress.zip', createPerson({ mainAddress: { zip: '1' } })],
    ['correspondenceAddress.zip', createPerson({ correspondenceAddress: { zip: '1'.repeat(11) } })],
    ['contact.phone', createPerson({ contact: { phone: '11' } })],
    ['contact.phone', createPerson({ contact: { phone: '1'.repeat(21) } })],
    ['gender', createPerson({ gender: 'male' })],
    ['sourceOfIncome.0', createPerson({ sourceOfIncome: ['from work'] })],
    ['documentNumber', identify({ documentNumber: '1'.repeat(256) })],
    ['identificationDocumentType', identify({ identificationDocumentType: 'Id' })],
    ['externalVerifier', verify('vendor')],
    [
      'naturalPersonStatus',
      (client) => all(listNaturalPersons(client, { naturalPersonStatus: unknownWord('active') })),
    ],
    ['headers.0.name', register('schlüssel', 'x')],
    ['headers.0.value', register('key', 'schlüssel')],
  ])('is checked in %s only where the profile states it', async (field, send) => {
    await send(clientOf());
    expect(server.requests).toHaveLength(1);
    const { problems } = await errorOf(PlatformInputError, () => send(clientOf({ sentFields })));
    expect(problems).toEqual([expect.stringMatching(`^${field}: must`)]);
    expect(server.requests).toEqual([]);
  });

  it('leaves no line break in the header of a webhook', async () => {
    await errorOf(PlatformInputError, () => register('key', 'a\r\nb')(clientOf()));
  });
});

describe('section 4.2: what the specification does not forbid in an identification', () => {
  it('sends fields of the parents with any document', async () => {
    await identify({ documentMotherFullName: 'M', documentFatherResidenceCity: 'F' })(clientOf());
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ documentMotherFullName: 'M' });
  });

  const late = '2026-01-02T23:30:00Z';
  it.each([
    ['1990-01-01', undefined, true],
    ['2027-01-01', undefined, true],
    ['2026-01-03', 'Europe/Vienna', true],
    ['2024-01-02', 'Europe/Vienna', false],
    ['2026-01-03', 'UTC', false],
    ['2024-01-02', 'UTC', true],
    ['2026-01-02', 'America/New_York', true],
  ])('checks the identificationDate %s in the zone %s of the profile: sent is %s', async (day, dayZone, isSent) => {
    const client = clientOf({ times: dayZone === undefined ? {} : { dayZone } });
    const sending = identify({ identificationDate: day }, late)(client);
    if (isSent) await sending;
    else await errorOf(PlatformInputError, sending);
    expect(server.requests).toHaveLength(Number(isSent));
  });
});
