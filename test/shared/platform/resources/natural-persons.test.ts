import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  PlatformError,
  PlatformHttpError,
  PlatformInputError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';
import { unknownWord } from '#shared/platform/fields/received.ts';
import { createNaturalPerson, isOutcomeUnknown } from '#shared/platform/resources/create-natural-person.ts';
import { findNaturalPerson, listNaturalPersons } from '#shared/platform/resources/list-natural-persons.ts';
import {
  createNaturalPersonIdentification,
  getNaturalPerson,
  updateNaturalPerson,
} from '#shared/platform/resources/natural-persons.ts';
import {
  destroy,
  empty,
  inTurn,
  json,
  platformOfFile,
  type Respond,
} from '#test/shared/platform/client/platform-server.ts';
import {
  all,
  createTestClient,
  errorOf,
  failureOf,
  otherId,
  personId,
  requestor,
  saidBy,
} from '#test/shared/platform/client/test-client.ts';
import { sampleIdentification, samplePerson } from './sample-persons.ts';

const server = platformOfFile();

const person = samplePerson;
const { externalId: _, ...anonymous } = person;
const profile = { times: { dayZone: 'UTC' }, sentFields: { hasCapitalEnums: true } };
const client = () => createTestClient(server.baseUrl, { profile }).client;

/** The platform: what it does with a create, and the persons that it lists, on pages of one. */
function platform(create: Respond, persons: readonly unknown[]): Respond {
  return (request, response) => {
    if (request.method === 'POST') return create(request, response);
    const at = Number(new URL(request.url, server.baseUrl).searchParams.get('cursor') ?? 0);
    const cursor = at + 1 < persons.length ? String(at + 1) : '';
    return json(200, { data: persons.slice(at, at + 1), pagination: { cursor, limit: 1 } })(request, response);
  };
}

const others = [{ naturalPersonId: otherId }, { naturalPersonId: otherId, externalId: 'partner-2' }];
const created = [...others, { ...samplePerson, naturalPersonId: personId }];
/** The externalId is another customer's. */
const another = [...others, { ...samplePerson, naturalPersonId: personId, firstName: 'Bernd', birthDay: '1950-01-01' }];
const nameless = [...others, { naturalPersonId: personId, externalId: 'partner-1' }];
/** Answers 200 to anything, with a text that is not JSON, like the maintenance page of a proxy. */
const page =
  (text: string): Respond =>
  (_, response) =>
    response.writeHead(200).end(text);
const creates = () => server.requests.filter(({ method }) => method === 'POST');

describe('section 4, Create natural person', () => {
  it('sends the writable fields, and no Requestor-ID', async () => {
    server.answerWith(json(200, { naturalPersonId: personId, more: 1 }));
    expect(await createNaturalPerson(client(), person)).toEqual({ naturalPersonId: personId, isAdopted: false });
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/entities/natural-persons' });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(person);
    expect(server.requests[0]?.headers).not.toHaveProperty('requestor-id');
    expect(server.requests).toHaveLength(1);
  });

  it('has no place for a Requestor-ID in its type', () => {
    expectTypeOf<Parameters<typeof createNaturalPerson>[2]>().not.toHaveProperty('requestorId');
    expectTypeOf<Parameters<typeof getNaturalPerson>[2]>().not.toHaveProperty('requestorId');
    expectTypeOf<Parameters<typeof listNaturalPersons>[1]>().not.toHaveProperty('requestorId');
    expectTypeOf<Parameters<typeof updateNaturalPerson>[1]>().toEqualTypeOf<string>();
    expectTypeOf<Parameters<typeof createNaturalPersonIdentification>[1]>().toEqualTypeOf<string>();
  });

  it('sends nothing that breaks a rule', async () => {
    server.answerWith(json(200, {}));
    const wrong = { ...person, firstName: 'Erika  Maria', naturalPersonStatus: 'ACTIVE' };
    const error = await errorOf(PlatformInputError, createNaturalPerson(client(), wrong));
    expect(error.problems).toEqual([
      'firstName: must be words with one space between them (section 2.4)',
      'naturalPersonStatus: cannot be written (section 2.4)',
    ]);
    expect(saidBy(error)).not.toMatch(/Erika|Mustermann|ACTIVE/);
    expect(server.requests).toHaveLength(0);
  });
});

/** Lost answers to a create that the platform has executed. */
const lostAnswers: readonly (readonly [string, Respond])[] = [
  ['commits, then breaks the connection', destroy],
  ['commits, then answers 500', empty(500)],
  ['commits, then answers 502', json(502, {})],
  ['commits, and a gateway answers 504', empty(504)],
  ['commits, then answers 408', empty(408)],
  ['commits, and its answer breaks off', (__, response) => response.end('{"naturalPer')],
  ['commits, and its answer has no id', json(200, {})],
];

describe('a create whose answer is lost, sent again', () => {
  it.each(lostAnswers)('adopts the person after the 409: %s', async (__, lost) => {
    server.answerWith(platform(inTurn(lost, json(409, {})), created));
    expect(await createNaturalPerson(client(), person)).toEqual({ naturalPersonId: personId, isAdopted: true });
    expect(creates()).toHaveLength(2);
  });

  it('does not read the list when the first create had no effect', async () => {
    server.answerWith(platform(inTurn(empty(500), json(200, { naturalPersonId: personId })), created));
    expect(await createNaturalPerson(client(), person)).toEqual({ naturalPersonId: personId, isAdopted: false });
    expect(server.requests).toHaveLength(2);
  });

  it('throws the first failure when the second create fails too, and sends no third', async () => {
    server.answerWith(platform(inTurn(destroy, empty(500)), created));
    await errorOf(PlatformNetworkError, createNaturalPerson(client(), person));
    expect(server.requests).toHaveLength(2);
  });

  it('throws the first failure when the platform answers 409 and shows no such person', async () => {
    server.answerWith(platform(inTurn(empty(500), json(409, {})), others));
    await expect(createNaturalPerson(client(), person)).rejects.toMatchObject({ status: 500 });
    expect(creates()).toHaveLength(2);
  });

  it('throws the CONFLICT when the externalId is another customer’s', async () => {
    server.answerWith(platform(inTurn(empty(503), json(409, {})), another));
    await expect(createNaturalPerson(client(), person)).rejects.toMatchObject({ status: 409, condition: 'CONFLICT' });
    expect(creates()).toHaveLength(2);
  });

  it('throws the first failure when the person of the externalId shows nothing to compare', async () => {
    server.answerWith(platform(inTurn(empty(503), json(409, {})), nameless));
    await expect(createNaturalPerson(client(), person)).rejects.toMatchObject({ status: 503 });
  });
});

describe('a create whose answer is lost, on a platform that accepts a second person of an externalId', () => {
  const client = (deadlines = {}) =>
    createTestClient(server.baseUrl, { profile: { isExternalIdUnique: false, deadlines } }).client;

  it.each(lostAnswers)('adopts the person that the search finds: %s', async (__, lost) => {
    server.answerWith(platform(lost, created));
    expect(await createNaturalPerson(client(), person)).toEqual({ naturalPersonId: personId, isAdopted: true });
    expect(creates()).toHaveLength(1);
  });

  it.each([
    ['is another customer', another],
    ['shows nothing to compare', nameless],
  ])('throws the failure of the create when the person of the externalId %s', async (__, persons) => {
    server.answerWith(platform(empty(503), persons));
    await expect(createNaturalPerson(client(), person)).rejects.toMatchObject({ status: 503 });
    expect(creates()).toHaveLength(1);
  });

  it('adopts the person that the search finds after a timeout', async () => {
    server.answerWith(platform(() => undefined, created));
    const impatient = client({ attempt: 100 });
    expect(await createNaturalPerson(impatient, person)).toEqual({ naturalPersonId: personId, isAdopted: true });
    expect(creates()).toHaveLength(1);
  });

  it('throws the failure of the create when the search finds no person, and sends no second', async () => {
    server.answerWith(platform(destroy, others));
    const error = await errorOf(PlatformNetworkError, createNaturalPerson(client(), person));
    expect(error).toMatchObject({ operation: 'Create natural person', isRetryable: true });
    expect(creates()).toHaveLength(1);

    server.answerWith(platform(json(200, {}), others));
    await errorOf(PlatformSchemaError, createNaturalPerson(client(), person));
  });

  it('throws the failure of the create when the search fails too', async () => {
    const create = platform(empty(500), []);
    server.answerWith((request, response) => (request.method === 'POST' ? create : destroy)(request, response));
    const error = await errorOf(PlatformHttpError, createNaturalPerson(client(), person));
    expect(error).toMatchObject({ operation: 'Create natural person', status: 500 });
  });

  it('throws the failure of the create when the time of the call is over during the search', async () => {
    const timers: AbortController[] = [];
    const timeout = () => {
      const controller = new AbortController();
      timers.push(controller);
      return controller.signal;
    };
    server.answerWith((request, response) => {
      if (request.method === 'POST') return empty(500)(request, response);
      return timers[0]?.abort();
    });
    const { client } = createTestClient(server.baseUrl, { profile: { isExternalIdUnique: false }, timeout });
    await expect(createNaturalPerson(client, person)).rejects.toMatchObject({ status: 500 });
    expect(server.requests).toHaveLength(2);
  });

  it('ends the search with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('The caller has left.');
    server.answerWith((request, response) => {
      if (request.method === 'POST') return destroy(request, response);
      return controller.abort(reason);
    });
    expect(await failureOf(createNaturalPerson(client(), person, { signal: controller.signal }))).toBe(reason);
  });
});

describe('a create that is not sent again', () => {
  it('throws the failure of a create without an externalId', async () => {
    server.answerWith(platform(empty(500), created));
    await expect(createNaturalPerson(client(), anonymous)).rejects.toMatchObject({ status: 500 });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [400, 'BAD_REQUEST'],
    [409, 'CONFLICT'],
    [501, 'NOT_IMPLEMENTED'],
    [429, undefined],
  ])('adopts no person after %d, which created none', async (status, condition) => {
    server.answerWith(platform(json(status, {}), created));
    const error = await errorOf(PlatformHttpError, createNaturalPerson(client(), person));
    expect(error).toMatchObject({ status, condition });
    expect(server.requests).toHaveLength(1);
  });

  it('searches for no person when nothing was sent', async () => {
    server.answerWith(platform(empty(500), created));
    let reads = 0;
    const read = async () => {
      reads += 1;
      throw new Error('The store is down.');
    };
    const { client } = createTestClient(server.baseUrl, { tokens: { read } });
    await errorOf(PlatformTokenError, createNaturalPerson(client, person));
    expect(server.requests).toHaveLength(0);
    expect(reads).toBe(1);
  });

  it('repeats the create once after a 401, with a fresh token', async () => {
    server.answerWith(inTurn(empty(401), json(200, { naturalPersonId: personId })));
    const read = async ({ fresh = false } = {}) => (fresh ? 'second' : 'first');
    const { client } = createTestClient(server.baseUrl, { tokens: { read } });
    expect(await createNaturalPerson(client, person)).toEqual({ naturalPersonId: personId, isAdopted: false });
    expect(creates()).toHaveLength(2);
  });
});

describe('section 4, Get natural persons', () => {
  it('sends no Requestor-ID, and the filter under the name of the profile', async () => {
    server.answerWith(platform(destroy, created));
    expect(await all(listNaturalPersons(client()))).toEqual(created);
    expect(server.requests[0]?.url).toBe('/entities/natural-persons?limit=20');
    const { client: other } = createTestClient(server.baseUrl, { profile: { naturalPersonStatusParameter: 'status' } });
    await all(listNaturalPersons(other, { naturalPersonStatus: 'ACTIVE', limit: 5, cursor: '2' }));
    expect(server.requests.at(-1)?.url).toBe('/entities/natural-persons?status=ACTIVE&cursor=2&limit=5');
    await all(listNaturalPersons(client(), { naturalPersonStatus: unknownWord('NEW_STATUS'), cursor: '2' }));
    expect(server.requests.at(-1)?.url).toContain('?naturalPersonStatus=NEW_STATUS&');
    for (const { headers } of server.requests) expect(headers).not.toHaveProperty('requestor-id');
  });

  it('refuses a status that is no word', async () => {
    const error = await errorOf(PlatformInputError, async () =>
      all(listNaturalPersons(client(), { naturalPersonStatus: unknownWord('Erika') })),
    );
    expect(error.message).toContain('naturalPersonStatus: must be');
  });

  it('stops reading when findNaturalPerson finds the person', async () => {
    server.answerWith(platform(destroy, created));
    expect(await findNaturalPerson(client(), 'partner-2')).toMatchObject({ externalId: 'partner-2' });
    expect(server.requests).toHaveLength(2);
    expect(await findNaturalPerson(client(), 'partner-3')).toBeUndefined();
  });
});

describe('section 4, Get natural person', () => {
  it('sends no Requestor-ID with the read', async () => {
    server.answerWith(json(200, { naturalPersonId: personId, naturalPersonStatus: 'ACTIVE', more: 1 }));
    expect(await getNaturalPerson(client(), personId)).toEqual({
      naturalPersonId: personId,
      naturalPersonStatus: 'ACTIVE',
      more: 1,
    });
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: `/entities/natural-persons/${personId}` });
    expect(server.requests[0]?.headers).not.toHaveProperty('requestor-id');
  });

  it.each(['', '..', 'Erika', `${personId}/x`])('refuses the id %j before any call', async (id) => {
    server.answerWith(json(200, {}));
    const promise = getNaturalPerson(client(), id);
    await expect(promise).rejects.toMatchObject({
      operation: 'Get natural person',
      problems: ['naturalPersonId: must be a UUID (section 2)'],
    });
    expect(server.requests).toHaveLength(0);
  });
});

describe('section 4, Update natural person', () => {
  it('retries after a failure, because the same update twice has one effect', async () => {
    server.answerWith(inTurn(empty(503), empty(202)));
    await updateNaturalPerson(client(), requestor, personId, { naturalPersonUpdateData: {} });
    expect(server.requests).toHaveLength(2);
  });

  it('throws PlatformSchemaError when a success has a body that is not JSON', async () => {
    server.answerWith(page('<html>Maintenance</html>'));
    const update = updateNaturalPerson(client(), requestor, personId, { naturalPersonUpdateData: {} });
    await errorOf(PlatformSchemaError, update);
  });

  it('sends nothing without a valid Requestor-ID', async () => {
    server.answerWith(empty(202));
    const update = { naturalPersonUpdateData: {} };
    await errorOf(PlatformInputError, updateNaturalPerson(client(), 'x', personId, update));
    await errorOf(PlatformInputError, updateNaturalPerson(client(), requestor, 'x', update));
    expect(server.requests).toHaveLength(0);
  });
});

describe('section 4, Create natural person identification', () => {
  const today = new Date('2026-01-02T03:04:05Z');
  const identification = sampleIdentification;

  it.each([json(200, {}), json(202, 'accepted'), empty(200)])(
    'accepts a success without content, or with JSON',
    async (success) => {
      server.answerWith(success);
      await createNaturalPersonIdentification(client(), requestor, personId, identification, { today });
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each(['<html>Maintenance</html>', '{"naturalPersonId": '])(
    'has an unknown outcome when the body of a success is %j',
    async (body) => {
      server.answerWith(page(body));
      const call = createNaturalPersonIdentification(client(), requestor, personId, identification, { today });
      expect(isOutcomeUnknown(await errorOf(PlatformSchemaError, call))).toBe(true);
    },
  );

  it('never repeats a create after a failure', async () => {
    server.answerWith(destroy);
    const call = createNaturalPersonIdentification(client(), requestor, personId, identification, { today });
    await errorOf(PlatformError, call);
    expect(server.requests).toHaveLength(1);
  });

  it('sends nothing that breaks a rule', async () => {
    server.answerWith(empty(202));
    const late = { ...identification, identificationDate: '2023-12-01' };
    for (const [who, whom, what] of [
      [requestor, personId, late],
      ['x', personId, identification],
      [requestor, 'x', identification],
    ] as const)
      await errorOf(PlatformInputError, createNaturalPersonIdentification(client(), who, whom, what, { today }));
    expect(server.requests).toHaveLength(0);
  });
});
