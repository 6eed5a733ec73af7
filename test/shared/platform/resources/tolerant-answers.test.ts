import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { PlatformPagingError, PlatformSchemaError } from '#shared/platform/client/errors.ts';
import { sendNewNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import {
  createIdentificationVerification,
  getIdentificationVerification,
  listIdentificationVerifications,
} from '#shared/platform/resources/identification-verifications.ts';
import { findNaturalPerson, listNaturalPersons } from '#shared/platform/resources/list-natural-persons.ts';
import { getNaturalPerson, updateNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import { getTransfer } from '#shared/platform/resources/transfers.ts';
import { listUndeliveredWebhooks, markWebhooksDelivered } from '#shared/platform/resources/undelivered-webhooks.ts';
import { listMissingWebhooks, listWebhooks } from '#shared/platform/resources/webhooks.ts';
import { json, platformOfFile } from '#test/shared/platform/client/platform-server.ts';
import {
  all,
  createTestClient,
  errorOf,
  otherId,
  personId,
  requestor,
  type TestClientOptions,
} from '#test/shared/platform/client/test-client.ts';
import { samplePerson } from './sample-persons.ts';

const server = platformOfFile();

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
    ['"0001-01-01T00:00:00"', vienna, undefined, undefined],
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

const long = '9007199254740993';

describe('a value of another type than the specification shows', () => {
  it('reads a number and a truth value that are texts, and a text that is a number', async () => {
    const client = clientOf(`{
      "naturalPersonId": "${personId}", "annualIncomeNet": "50000.5", "availableAssets": "many", "isPep": "False", "isSanction": 1,
      "mainAddress": {"zip": 10115, "streetNumber": {"no": 1}}, "contact": "none", "language": 7,
      "nationalities": [5, {"countryCode": "DE"}], "sourceOfIncome": "X", "naturalPersonSignedDocuments": [{"version": "3"}]
    }`);
    expect(await getNaturalPerson(client, personId)).toEqual({
      naturalPersonId: personId,
      annualIncomeNet: 50_000.5,
      isPep: false,
      mainAddress: { zip: '10115' },
      language: '7',
      nationalities: [{ countryCode: 'DE' }],
      naturalPersonSignedDocuments: [{ version: 3 }],
    });
  });

  it.each([
    [7, '7'],
    [long, long],
  ])('reads the number %s as an id, and takes it in other calls', async (id, expected) => {
    expect(await sendNewNaturalPerson(clientOf(`{"id":${id}}`), samplePerson)).toBe(expected);
    const person = clientOf(`{"id":${id},"naturalPersonStatus":"ACTIVE"}`);
    expect(await getNaturalPerson(person, expected)).toMatchObject({ naturalPersonId: expected });
    const fields = { naturalPersonId: expected, externalVerifier: 'X', identificationType: 'VIDEO_IDENT' } as const;
    const created = await createIdentificationVerification(clientOf(`{"id":${id}}`), expected, fields);
    expect(created).toEqual({ identificationVerificationId: expected });
    const verification = clientOf(`{"id":${id},"naturalPersonId":${id}}`);
    expect(await getIdentificationVerification(verification, expected, expected)).toMatchObject({
      identificationVerificationId: expected,
      naturalPersonId: expected,
    });
    const records = clientOf(`[{"id":${id},"webhook":{"eventType":"X","url":"u"},"body":"{}"}]`);
    expect(await all(listUndeliveredWebhooks(records))).toMatchObject([{ id: expected }]);
    await markWebhooksDelivered(records, expected);
    expect(server.requests.at(-1)?.body).toBe(`{"undeliveredWebhookId":"${expected}"}`);
  });

  it('rounds a number for a schema of the caller that expects one', async () => {
    const request = { operation: 'Read', method: 'GET', path: '/x' } as const;
    expect(await clientOf(`{"n":${long}}`).request(z.object({ n: z.number() }), request)).toEqual({ n: Number(long) });
  });

  it.each([
    [{ code: 'ACTIVE', name: 'Active person' }, 'ACTIVE'],
    [{ id: 3, name: ' PENDING ' }, 'PENDING'],
    [' ACTIVE\n', 'ACTIVE'],
    ['IN REVIEW', 'IN REVIEW'],
    ['MARIA HUBER', 'MARIA HUBER'],
    [{ id: 3 }, undefined],
    [3, undefined],
  ])('reads the status %j as %s', async (status, expected) => {
    const person = { naturalPersonId: personId, naturalPersonStatus: status };
    const read = await getNaturalPerson(clientOf(JSON.stringify(person)), personId);
    expect(read.naturalPersonStatus).toBe(expected);
    const transfer = clientOf(JSON.stringify({ transfer: { id: 7, transferStatus: status } }));
    expect(await getTransfer(transfer, requestor, '7')).toMatchObject({ transferId: '7', transferStatus: expected });
  });

  it('takes a text with 202 for no content, and no page of a proxy', async () => {
    const update = () =>
      updateNaturalPerson(createTestClient(server.baseUrl).client, requestor, personId, {
        naturalPersonUpdateData: {},
      });
    server.answerWith((_, response) => response.writeHead(202).end('Accepted'));
    await update();
    for (const [status, body] of [
      [200, 'Accepted'],
      [202, ' <html>'],
    ] as const) {
      server.answerWith((_, response) => response.writeHead(status).end(body));
      await errorOf(PlatformSchemaError, update());
    }
  });

  it.each([
    '["FIRST","SECOND"]',
    '[{"eventType":"FIRST"},{"eventType":{"code":"SECOND"}}]',
    '{"data":["FIRST",{"eventType":"SECOND"}],"pagination":{"cursor":"","limit":20}}',
  ])('lists the missing webhooks of %s', async (body) => {
    expect(await listMissingWebhooks(clientOf(body))).toEqual(['FIRST', 'SECOND']);
    expect(server.requests.map(({ url }) => url)).toEqual(['/webhooks-missing']);
  });
});

describe('a field that is there and cannot be read', () => {
  it.each<[object, readonly string[] | undefined]>([
    [{ naturalPersonStatus: null, naturalPersonIdentifications: [] }, undefined],
    [{ naturalPersonStatus: { code: 'A_NEW_WORD' }, naturalPersonIdentifications: [{ documentNumber: 7 }] }, undefined],
    // The platform says nothing about what can be read.
    [{ unreadable: ['naturalPersonStatus'] }, undefined],
    [{ naturalPersonStatus: 3 }, ['naturalPersonStatus']],
    [{ naturalPersonStatus: { id: 3 } }, ['naturalPersonStatus']],
    [{ naturalPersonIdentifications: [{}, 7] }, ['naturalPersonIdentifications']],
  ])('is named by a person: %j has the unreadable %j', async (fields, unreadable) => {
    const read = await getNaturalPerson(clientOf(JSON.stringify({ naturalPersonId: personId, ...fields })), personId);
    expect(read.unreadable).toEqual(unreadable);
    expect(read.naturalPersonId).toBe(personId);
  });

  it('is named by a verification', async () => {
    const verification = { identificationVerificationId: otherId, status: ['PENDING'] };
    const read = await getIdentificationVerification(clientOf(JSON.stringify(verification)), requestor, otherId);
    expect(read).toEqual({ identificationVerificationId: otherId, unreadable: ['status'] });
  });
});

describe('a member of a list that cannot be read', () => {
  const wanted = { naturalPersonId: personId, externalId: 'wanted' };
  const bad = [5, { externalId: 'x' }, { naturalPersonId: {}, externalId: 'x' }];

  it('spoils no other: the items end with an error that names the fields, and the pages name them', async () => {
    server.answerWith(json(200, [...bad, wanted]));
    const { client } = createTestClient(server.baseUrl);
    const seen: unknown[] = [];
    const walk = async () => {
      for await (const person of listNaturalPersons(client)) seen.push(person);
    };
    const { fields } = await errorOf(PlatformSchemaError, walk());
    expect([seen, fields]).toEqual([[wanted], ['data.0', 'data.1.naturalPersonId', 'data.2.naturalPersonId']]);
    expect(await all(listNaturalPersons(client).pages())).toMatchObject([{ items: [wanted], unreadable: fields }]);
  });

  const ofAnother = { naturalPersonId: otherId, externalId: 'another' };
  const uncomparable = [
    { ...ofAnother, firstName: { first: 'Max' } },
    { ...ofAnother, lastName: ['Meier'] },
    ...[[1950, 5, 6], 631_238_400_000, 19_900_102, '02.01.1990', ''].map((birthDay) => ({ ...ofAnother, birthDay })),
  ];

  it.each([...bad, { naturalPersonId: otherId, externalId: {} }, ...uncomparable])(
    'leaves the search for a person undecided: %j',
    async (member) => {
      server.answerWith(json(200, [member, wanted]));
      const { client } = createTestClient(server.baseUrl);
      expect(await findNaturalPerson(client, 'wanted')).toEqual(wanted);
      await errorOf(PlatformSchemaError, findNaturalPerson(client, 'another'));
    },
  );

  it('is none where another person than the one looked for cannot be compared, or does not show its birthDay', async () => {
    server.answerWith(
      json(200, [
        { ...wanted, birthDay: [1950, 5, 6] },
        { ...ofAnother, birthDay: null },
      ]),
    );
    const { client } = createTestClient(server.baseUrl);
    expect(await findNaturalPerson(client, 'another')).toMatchObject(ofAnother);
    expect(await findNaturalPerson(client, 'a third')).toBeUndefined();
  });
});

describe('section 2.3: paging that leads to nothing new', () => {
  /** Answers each request with the members of its number, and a cursor that was never given before. */
  function listing(members: (page: number) => readonly number[]) {
    let page = 0;
    server.answerWith((request, response) => {
      page += 1;
      const data = members(page).map((id) => ({ naturalPersonId: `${id}`, modifiedOn: page }));
      return json(200, { data, pagination: { cursor: page, limit: 20 } })(request, response);
    });
    return listNaturalPersons(createTestClient(server.baseUrl).client);
  }

  it.each([
    ['the same page', () => [1, 2], 20],
    ['the same page in another order', (page: number) => (page % 2 ? [1, 2] : [2, 1]), 20],
    ['a list that starts over after 30 pages', (page: number) => [page % 30], 500],
    ['pages without a member', (page: number) => (page < 3 ? [page] : []), 1_010],
  ])('ends with an error that says so: %s', async (_, members, most) => {
    const error = await errorOf(PlatformPagingError, all(listing(members)));
    expect(error.message).toContain('does not come to an end');
    expect(server.requests.length).toBeLessThan(most);
  });

  it('is no long list, with empty pages and a page that comes twice', async () => {
    const list = listing((page) => (page % 400 ? [page - Number(page === 2)] : []));
    let count = 0;
    for await (const _ of list) {
      count += 1;
      if (count === 3_000) break;
    }
    expect(count).toBe(3_000);
  });
});
