import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listIdentificationVerifications } from '#shared/platform/resources/identification-verifications.ts';
import { listNaturalPersons } from '#shared/platform/resources/list-natural-persons.ts';
import { getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { getTransfer } from '#shared/platform/resources/transfers.ts';
import { listUndeliveredWebhooks } from '#shared/platform/resources/undelivered-webhooks.ts';
import { listWebhooks } from '#shared/platform/resources/webhooks.ts';
import { type PlatformServer, startPlatformServer } from '#test/shared/platform/client/platform-server.ts';
import {
  all,
  createTestClient,
  otherId,
  personId,
  requestor,
  type TestClientOptions,
} from '#test/shared/platform/client/test-client.ts';

let server: PlatformServer;
beforeAll(async () => {
  server = await startPlatformServer();
});
afterAll(() => server.close());

/** A client of a platform that answers everything with this JSON, written as it is. */
function clientOf(body: string, profile: TestClientOptions['profile'] = {}) {
  server.answerWith((_, response) => response.end(body));
  return createTestClient(server.baseUrl, { profile }).client;
}

const webhook = { eventType: 'TRANSFER_NOTIFICATION', url: 'https://partner.example/a' };
const undelivered = { id: otherId, webhook, body: '{}', errorMessage: '503' };

describe('a time that the specification does not show', () => {
  const unreadable = ['""', '"yesterday"', '"2026-01-01"', '1767261600', '{}', '"2026-13-01T10:00:00Z"'];

  it.each(unreadable)('fails no answer where it is %s', async (time) => {
    const times = `"createdOn":${time},"modifiedOn":${time}`;
    const person = `{"naturalPersonId":"${personId}",${times},"verifiedOn":${time}}`;
    expect(await getNaturalPerson(clientOf(person), personId)).toEqual({ naturalPersonId: personId });
    expect(await all(listNaturalPersons(clientOf(`[${person}]`)))).toEqual([{ naturalPersonId: personId }]);
    const webhooks = clientOf(`[{"eventType":"TRANSFER_NOTIFICATION","url":"https://partner.example/a",${times}}]`);
    expect(await all(listWebhooks(webhooks))).toEqual([webhook]);
    const transfer = clientOf(`{"transfer":{"transferId":"t",${times}}}`);
    expect(await getTransfer(transfer, requestor, 't')).toEqual({ transferId: 't' });
    const verification = clientOf(`[{"identificationVerificationId":"v",${times}}]`);
    expect(await all(listIdentificationVerifications(verification, requestor))).toEqual([
      { identificationVerificationId: 'v' },
    ]);
    const records = clientOf(JSON.stringify([undelivered]).replace('}]', `,${times}}]`));
    expect(await all(listUndeliveredWebhooks(records))).toEqual([undelivered]);
  });

  const vienna = { times: { zone: 'Europe/Vienna' } };
  const seconds = { times: { unit: 'seconds' } } as const;
  const milliseconds = { times: { unit: 'milliseconds' } } as const;
  it.each([
    ['"2026-01-01T10:00:00"', {}, '2026-01-01T10:00:00Z', undefined],
    ['"2026-01-01T10:00"', {}, '2026-01-01T10:00:00Z', undefined],
    ['"2026-01-01 10:00:00.5"', {}, '2026-01-01T10:00:00.5Z', undefined],
    ['"2026-01-01T10:00Z"', {}, '2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
    ['"2026-01-01T10:00:00+02"', {}, '2026-01-01T10:00:00+02:00', '2026-01-01T10:00:00+02:00'],
    ['"2026-01-01T10:00:00"', { times: { zone: 'UTC' } }, '2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
    ['"2026-07-01T10:00:00"', vienna, '2026-07-01T10:00:00+02:00', '2026-07-01T10:00:00+02:00'],
    ['"2026-10-25T02:30:00"', vienna, undefined, undefined],
    ['1767261600', seconds, '2026-01-01T10:00:00Z', '2026-01-01T10:00:00Z'],
    ['1767261600.123456789', seconds, '2026-01-01T10:00:00.123456789Z', '2026-01-01T10:00:00.123456789Z'],
    ['"1767261600123"', milliseconds, '2026-01-01T10:00:00.123Z', '2026-01-01T10:00:00.123Z'],
    ['1767261600123', seconds, undefined, undefined],
  ])('reads %s with the profile %j as %s, and as the createdOn of an undelivered webhook as %s', async (...given) => {
    const [time, profile, asTime, asOrder] = given;
    const person = clientOf(`{"naturalPersonId":"${personId}","modifiedOn":${time}}`, profile);
    expect((await getNaturalPerson(person, personId)).modifiedOn).toBe(asTime);
    const records = clientOf(JSON.stringify([undelivered]).replace('}]', `,"createdOn":${time}}]`), profile);
    expect((await all(listUndeliveredWebhooks(records)))[0]?.createdOn).toBe(asOrder);
  });
});
