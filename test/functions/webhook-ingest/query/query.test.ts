import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAnswerQuarantine } from '#functions/webhook-ingest/query/count-quarantine.ts';
import { createQuery, type QueryRoute } from '#functions/webhook-ingest/query/query.ts';
import { createReadTimeline } from '#functions/webhook-ingest/query/read-timeline.ts';
import { nextVersion } from '#shared/aws/dynamodb.ts';
import type { EntityPageRequest } from '#shared/entities/entity-list.ts';
import type { TimelineEntry } from '#shared/entities/entity-row.ts';
import { createEntityStore, type EntityStore } from '#shared/entities/entity-store.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { type Event, quarantineEvent } from '#shared/events/event.ts';
import { createListQuarantined, type EventPageRequest, type ListEvents } from '#shared/events/event-list.ts';
import { createEventStore, type EventStore } from '#shared/events/event-store.ts';
import { deflateBody } from '#shared/events/webhook-delivery.ts';
import { httpHandler } from '#shared/lambda/http-api.ts';
import type { Log } from '#shared/lambda/log.ts';
import { anyCharacter } from '#test/any-character.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { lambdaContext } from '#test/shared/lambda/lambda-context.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';

const canary = 'Erika Mustermann';
const receivedOn = '2026-01-02T03:04:05.678Z';
const firstSequence = nextVersion(undefined, new Date(receivedOn));
let emulators: Emulators;
let entityStore: EntityStore;
let eventStore: EventStore;
let listQuarantined: ListEvents;
let serial = 0;

beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());
beforeEach(() => {
  const { dynamodb, tableName, tableNameOf } = emulators;
  const now = () => new Date(receivedOn);
  entityStore = createEntityStore({
    rules: entityRules,
    dynamodb,
    tableName: tableNameOf('entities'),
    now,
    random: Math.random,
    wait,
  });
  eventStore = createEventStore({ dynamodb, tableName, retentionDays: 30, now });
  listQuarantined = createListQuarantined({ dynamodb, tableName, now });
});
afterEach(() => emulators.unwatch());

/** Of an environment that keeps no time index. */
const deps = (log: Pick<Log, 'info'>) => ({
  log,
  entityStore,
  eventStore,
  listQuarantined,
  listAllEvents: undefined,
  listEntities: undefined,
  places: {},
  times: {},
});

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** An order that no other test knows. */
function newOrder() {
  serial += 1;
  return { kind: 'order' as const, id: `order-${serial}` };
}

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** The answer's body, parsed. */
  readonly json: Readonly<Record<string, unknown>>;
  /** All that was logged. */
  readonly logged: string;
};

async function ask(
  routeKey: QueryRoute,
  pathParameters: Readonly<Record<string, string>> | null,
  queryStringParameters: Readonly<Record<string, string>> | null = null,
): Promise<Answer> {
  const lines = captureLines();
  const handler = httpHandler(createQuery(deps(lines.log)), {
    ...lines,
    failed: 'Not read.',
  });
  const {
    statusCode,
    headers,
    body = '',
  } = await handler({ version: '2.0', routeKey, pathParameters, queryStringParameters }, lambdaContext());
  return { status: statusCode, headers, json: JSON.parse(body), logged: lines.text() };
}

const entityAt = (kind: string, id: string) => ask('GET /entities/{kind}/{id}', { kind, id });
const timelineAt = (kind: string, id: string) => ask('GET /entities/{kind}/{id}/timeline', { kind, id });
const eventAt = (eventId: string) => ask('GET /events/{eventId}', { eventId });

/** Commits an event with this body. */
async function commit(body: Uint8Array, event?: Event): Promise<Event> {
  serial += 1;
  const stored: Event = event ?? { eventId: hash(`event ${serial}`), eventType: 'T', quarantineReason: undefined };
  const deflatedBody = deflateBody(body);
  await eventStore.commit(stored, { deliveryId: `d-${serial}`, eventType: 'T', receivedOn, deflatedBody });
  return stored;
}

describe('GET /entities/{kind}/{id} answers the state of an entity', () => {
  it('shows its status, the derived one, its time, and its sequence', async () => {
    const order = newOrder();
    const modifiedOn = '2026-01-02T03:00:00.123456789Z';
    await entityStore.apply({ ...order, eventId: hash('a'), receivedOn, report: { status: 'PENDING' } });
    await entityStore.apply({ ...order, eventId: hash('b'), receivedOn, report: { status: 'FILLED', modifiedOn } });
    expect(await entityAt(order.kind, order.id)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      json: {
        ...order,
        sequence: firstSequence + 1,
        status: 'FILLED',
        transactionStatus: 'COMPLETED',
        modifiedOn,
        anomalies: [],
        remedies: [],
        toReadBack: false,
      },
      logged: '',
    });
  });

  it('shows what cannot all be true', async () => {
    const order = newOrder();
    for (const status of ['CANCELED', 'SETTLED'])
      await entityStore.apply({ ...order, eventId: hash(status), receivedOn, report: { status } });
    const { json } = await entityAt(order.kind, order.id);
    expect(json['anomalies']).not.toEqual([]);
    expect(json['remedies']).toEqual([expect.stringContaining("ask the platform's support")]);
  });
});

describe('GET /entities/{kind}/{id}/timeline answers every event of the entity', () => {
  it('shows each with receipt time, platform time, effect, and what it changed under the sequence of the bus', async () => {
    const order = newOrder();
    const [modifiedOn, later] = ['2026-01-02T03:00:00Z', '2026-01-02T03:05:00Z'];
    const [first, second] = [hash(`${order.id} 1`), hash(`${order.id} 2`)];
    const filled = { status: 'FILLED', modifiedOn, notificationType: 'EXECUTION' };
    await entityStore.apply({ ...order, eventId: first, receivedOn, report: filled });
    await entityStore.apply({ ...order, eventId: second, receivedOn: later, report: { status: 'PENDING' } });
    const { status, headers, json } = await timelineAt(order.kind, order.id);
    expect({ status, headers }).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    });
    expect(json).toEqual({
      ...order,
      events: [
        {
          ...filled,
          eventId: first,
          receivedOn,
          effect: 'applied',
          change: { sequence: firstSequence, status: 'FILLED', modifiedOn, anomalies: [] },
        },
        { eventId: second, receivedOn: later, status: 'PENDING', effect: 'superseded' },
      ],
    });
  });
});

describe('GET /events/{eventId} answers an event', () => {
  it('shows its type, when it came, how often, and its body as text', async () => {
    const body = '{ "name": "Erika",\n "note": "ü€😀" }';
    const event = await commit(Buffer.from(body));
    await commit(Buffer.from(body), event);
    expect(await eventAt(event.eventId)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      json: { eventId: event.eventId, eventType: 'T', receivedOn, deliveries: 2, body },
      logged: expect.stringContaining('event body read'),
    });
  });

  it('leaves out the body when asked to omit it, and logs no read', async () => {
    const { eventId } = await commit(Buffer.from('{"name":"Erika"}'));
    const { json, logged } = await ask('GET /events/{eventId}', { eventId }, { body: 'omit' });
    expect(json).toEqual({ eventId, eventType: 'T', receivedOn, deliveries: 1, bodyBytes: 16 });
    expect(logged).toBe('');
    expect(await ask('GET /events/{eventId}', { eventId }, { body: 'none' })).toMatchObject({
      status: 400,
      logged: '',
    });
  });

  it('shows the entity that it has had an effect on, also where the profile has a place of its own for the type', async () => {
    const eventType = 'TRANSFER_NOTIFICATION';
    const event = (quarantineReason?: 'UNUSABLE_STATUS') =>
      commit(Buffer.from('{"transferId":"t-1","data":{"order":"o-1"}}'), {
        ...{ eventId: hash(`${eventType} ${quarantineReason}`), eventType, quarantineReason },
      });
    const entityAt = async ({ eventId }: Event, places: Parameters<typeof createQuery>[0]['places']) => {
      const query = createQuery({ ...deps(captureLines().log), places });
      const { body = '' } = await query({ routeKey: 'GET /events/{eventId}', pathParameters: { eventId } });
      return (JSON.parse(body) as { entity?: unknown }).entity;
    };
    const own = { [eventType]: { kind: 'order' as const, wrappers: ['data'], id: ['order'] } };
    expect(await entityAt(await event(), {})).toEqual({ kind: 'transfer', id: 't-1' });
    expect(await entityAt(await event(), own)).toEqual({ kind: 'order', id: 'o-1' });
    expect(await entityAt(await event('UNUSABLE_STATUS'), {})).toBeUndefined();
  });

  it('logs who has read its body, by the access key, with nothing of the body', async () => {
    const { eventId } = await commit(Buffer.from(canary));
    const lines = captureLines();
    const query = createQuery(deps(lines.log));
    const requestContext = { authorizer: { iam: { accessKey: 'ASIAEXAMPLE' } } };
    await query({ routeKey: 'GET /events/{eventId}', pathParameters: { eventId }, requestContext });
    await query({ routeKey: 'GET /events/{eventId}/body', pathParameters: { eventId }, requestContext });
    const read = { message: 'event body read', eventId, accessKeyId: 'ASIAEXAMPLE' };
    expect(lines.objects()).toMatchObject([read, read]);
    expect(lines.text()).not.toContain(canary);
  });

  it('shows why an event is in quarantine', async () => {
    const event = await commit(Buffer.from('x'), quarantineEvent('T', 'x', 'NOT_JSON'));
    expect((await eventAt(event.eventId)).json).toMatchObject({ quarantineReason: 'NOT_JSON', body: 'x' });
  });

  it('shows the body byte for byte, in base64 where it is no UTF-8', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array(), fc.string({ unit: anyCharacter }).map(Buffer.from)), async (bytes) => {
        const { json } = await eventAt((await commit(bytes)).eventId);
        const { body, bodyBase64 } = json as { body?: string; bodyBase64?: string };
        expect(body === undefined).not.toBe(bodyBase64 === undefined);
        const answered = body === undefined ? Buffer.from(bodyBase64 ?? '', 'base64') : Buffer.from(body);
        expect(answered.equals(Buffer.from(bytes))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps a byte order mark', async () => {
    const bytes = Buffer.from('\ufeff{}');
    expect((await eventAt((await commit(bytes)).eventId)).json).toMatchObject({ body: '\ufeff{}' });
  });
});

describe('a path to something unknown', () => {
  it('returns 404 for an unknown entity and for its timeline', async () => {
    for (const answer of [await entityAt('order', 'unheard'), await timelineAt('order', 'unheard')]) {
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ type: 'urn:drawbridge:problem:entity-not-found', status: 404 });
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    }
  });

  it('returns 404 for an unknown kind, and names the kinds', async () => {
    for (const kind of ['orders', 'constructor', 'stored and published', '__proto__']) {
      const { status, json } = await entityAt(kind, 'a');
      expect(status).toBe(404);
      expect(json['detail']).toBe(
        'No kind of entity has this name. The kinds are natural-person, identification-verification, order, transfer.',
      );
    }
  });

  it('returns 404 for an event that never came', async () => {
    const detail = 'No such event was received, or its retention is over.';
    expect(await eventAt(hash('never'))).toMatchObject({ status: 404, json: { detail } });
  });
});

describe('an id that cannot exist', () => {
  const nothingRead = () =>
    emulators.watch(() => {
      throw new Error('It is looked up.');
    });

  it.each([canary, 'a/b'])('returns 400 for an entity with the id %s and reads nothing', async (id) => {
    nothingRead();
    for (const { status, json } of [await entityAt('order', id), await timelineAt('order', id)]) {
      expect(status).toBe(400);
      expect(json['detail']).toMatch(/^An id of an entity is/);
    }
  });

  it.each(['a', hash('a').toUpperCase(), `${hash('a')}0`, 'g'.repeat(64)])(
    'returns 400 for an event with the id %s and reads nothing',
    async (eventId) => {
      nothingRead();
      const { status, json } = await eventAt(eventId);
      expect(status).toBe(400);
      expect(json['detail']).toMatch(/64 hexadecimal digits/);
    },
  );
});

describe('a gateway that sends null where API Gateway leaves a field out', () => {
  it.each([
    ['GET /entities/{kind}/{id}', 404],
    ['GET /entities/{kind}/{id}/timeline', 404],
    ['GET /events/{eventId}', 400],
  ] as const)('answers %s with %i when pathParameters are null', async (routeKey, status) => {
    expect(await ask(routeKey, null)).toMatchObject({ status });
  });
});

describe('what does not fit one answer', () => {
  it('leaves a large body out of the answer, and gives its bytes in parts', async () => {
    const body = Buffer.from(`${'"'.repeat(3_500_000)}ü`);
    const { eventId } = await commit(body);
    const { status, json } = await eventAt(eventId);
    expect({ status, json }).toMatchObject({ status: 200, json: { eventId, bodyBytes: body.length } });
    expect(json).not.toHaveProperty('body');
    const parts: Buffer[] = [];
    let from: unknown = 0;
    while (from !== undefined) {
      const part: Answer = await ask('GET /events/{eventId}/body', { eventId }, { from: String(from) });
      expect(part).toMatchObject({ status: 200, json: { eventId, bodyBytes: body.length, from } });
      parts.push(Buffer.from(String(part.json['bodyBase64']), 'base64'));
      from = part.json['nextFrom'];
    }
    expect(parts).toHaveLength(2);
    expect(Buffer.concat(parts).equals(body)).toBe(true);
  });

  it('answers a body of 1 MiB whole', async () => {
    const event = await commit(Buffer.alloc(1024 * 1024, '"'));
    expect((await eventAt(event.eventId)).json).toHaveProperty('body');
  });

  it('refuses a part from a place that the body does not have', async () => {
    const { eventId } = await commit(Buffer.from('{}'));
    for (const from of ['-1', '1e3', '999999999'])
      expect(await ask('GET /events/{eventId}/body', { eventId }, { from })).toMatchObject({
        status: 400,
        json: { errors: [{ parameter: 'from' }] },
      });
  });

  it('returns 404 for a part of an erased body', async () => {
    const { eventId } = await commit(Buffer.from('{}'));
    await eventStore.erase(eventId);
    expect(await ask('GET /events/{eventId}/body', { eventId })).toMatchObject({ status: 404 });
  });

  it('pages a large timeline, and lists each event once, in the order of the receipts', async () => {
    const pages = timelineOf(Array.from({ length: 30 }, (_, index) => entryOf(index, 400_000)));
    const read = await walk(pages);
    expect(read.map(({ size }) => size)).toEqual([12, 12, 6]);
    expect(read.flatMap(({ ids }) => ids)).toEqual(Array.from({ length: 30 }, (_, index) => entryOf(index, 0).eventId));
  });
});

/** Of events that were received in pairs at one time, so that the ids decide. */
function entryOf(index: number, bytes: number): TimelineEntry {
  const eventId = String(index).padStart(64, '0');
  const at = `2026-01-02T03:04:${String(Math.floor(index / 2)).padStart(2, '0')}.000Z`;
  return { eventId, receivedOn: at, effect: 'superseded', status: 'x'.repeat(bytes) };
}

function timelineOf(entries: readonly TimelineEntry[]) {
  return createReadTimeline({ timeline: async () => entries });
}

async function walk(readTimeline: ReturnType<typeof createReadTimeline>, limit?: string) {
  const pages: { readonly size: number; readonly ids: readonly string[] }[] = [];
  let cursor: string | undefined;
  do {
    const { body = '' } = (await readTimeline({ kind: 'order', id: 'a' }, { limit, cursor })) ?? {};
    const { events, nextCursor } = JSON.parse(body);
    pages.push({ size: events.length, ids: events.map(({ eventId }: TimelineEntry) => eventId) });
    cursor = nextCursor;
  } while (cursor !== undefined);
  return pages;
}

describe('a limit of a timeline', () => {
  it('gives pages of that size, each event once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 7 }), async (count, limit) => {
        const entries = Array.from({ length: count }, (_, index) => entryOf(index, 1));
        const pages = await walk(timelineOf(entries), String(limit));
        expect(pages.slice(0, -1).every(({ size }) => size === limit)).toBe(true);
        expect(pages.flatMap(({ ids }) => ids)).toEqual(entries.map(({ eventId }) => eventId));
      }),
      { numRuns: 30 },
    );
  });

  it('does not take the cursor of another entity', async () => {
    const readTimeline = timelineOf([entryOf(0, 1), entryOf(1, 1)]);
    const { body = '' } = (await readTimeline({ kind: 'order', id: 'a' }, { limit: '1' })) ?? {};
    const { nextCursor: cursor } = JSON.parse(body);
    expect(await readTimeline({ kind: 'order', id: 'b' }, { cursor })).toMatchObject({ statusCode: 400 });
  });
});

describe('GET /events', () => {
  it('lists events in quarantine by reason, without their bodies', async () => {
    const event = await commit(Buffer.from(canary), quarantineEvent('T', 'listed', 'NOT_AN_OBJECT'));
    const { status, headers, json } = await ask('GET /events', null, { quarantineReason: 'NOT_AN_OBJECT' });
    expect({ status, headers }).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    const { eventId } = event;
    const expiresOn = '2026-02-01T03:04:05.000Z';
    expect(json).toEqual({
      items: [{ eventId, eventType: 'T', receivedOn, quarantineReason: 'NOT_AN_OBJECT', expiresOn }],
    });
    const all = await ask('GET /events', null, { quarantineReason: 'ANY', eventType: 'T', limit: '200' });
    expect(all.json['items']).toContainEqual(expect.objectContaining({ eventId }));
  });

  it('returns 409 without quarantineReason, and says what works', async () => {
    expect(await ask('GET /events', null)).toMatchObject({
      status: 409,
      json: {
        type: 'urn:drawbridge:problem:list-not-kept',
        remedy: expect.stringContaining('quarantineReason=ANY'),
      },
    });
  });

  it.each([
    [{ quarantineReason: canary }, 'quarantineReason'],
    [{ eventType: '' }, 'eventType'],
    [{ receivedTo: 'today' }, 'receivedTo'],
    [{ cursor: 'a', quarantineReason: 'ANY' }, 'cursor'],
    [{ canary: 'a' }, 'canary'],
  ])('returns 400 for %j', async (query, parameter) => {
    expect(await ask('GET /events', null, query)).toMatchObject({ status: 400, json: { errors: [{ parameter }] } });
  });
});

describe('GET /events where the environment lists all events', () => {
  it('lists events that had their effect, too', async () => {
    const event = {
      eventId: hash('a'),
      eventType: 'T',
      receivedOn,
      quarantineReason: undefined,
      expiresOn: receivedOn,
    };
    const asked: EventPageRequest[] = [];
    const query = createQuery({
      ...deps(captureLines().log),
      listAllEvents: async (request) => {
        asked.push(request);
        return { rows: [event], next: { at: receivedOn, id: event.eventId } };
      },
    });
    const queryStringParameters = { eventType: 'T', limit: '1' };
    const { body = '' } = await query({ routeKey: 'GET /events', queryStringParameters });
    expect(JSON.parse(body)).toEqual({
      items: [{ eventId: event.eventId, eventType: 'T', receivedOn, expiresOn: receivedOn }],
      nextCursor: expect.any(String),
    });
    expect(asked).toMatchObject([{ filter: { eventType: 'T' }, limit: 1 }]);
  });
});

describe('GET /entities/{kind}', () => {
  const status = 'PENDING';
  const changedOn = receivedOn;

  it('lists the entities of a kind by status and time', async () => {
    const asked: EntityPageRequest[] = [];
    const query = createQuery({
      ...deps(captureLines().log),
      listEntities: async (request) => {
        asked.push(request);
        return { rows: [{ kind: 'order', id: 'a', status, changedOn }], next: undefined };
      },
    });
    const routeKey = 'GET /entities/{kind}';
    const queryStringParameters = { status, changedFrom: changedOn };
    const { body = '' } = await query({ routeKey, pathParameters: { kind: 'order' }, queryStringParameters });
    expect(JSON.parse(body)).toEqual({ items: [{ kind: 'order', id: 'a', status, changedOn }] });
    expect(asked).toEqual([{ kind: 'order', filter: { status, changedFrom: changedOn }, limit: 50, after: undefined }]);
    expect((await query({ routeKey, pathParameters: { kind: 'wallet' } })).statusCode).toBe(404);
  });

  it('returns 409 where the list is not kept, and names the setting', async () => {
    expect(await ask('GET /entities/{kind}', { kind: 'order' })).toMatchObject({
      status: 409,
      json: { remedy: expect.stringContaining('listEntities') },
    });
  });
});

describe('GET /quarantine', () => {
  it('counts the events in quarantine by reason and type, the most frequent first', async () => {
    const counts = createAnswerQuarantine(async () => ({
      rows: ['A', 'B', 'B'].map((eventType, index) => ({
        eventId: String(index),
        eventType,
        receivedOn: `2026-01-0${3 - index}T00:00:00.000Z`,
        quarantineReason: 'NOT_JSON',
        expiresOn: `2026-02-0${3 - index}T00:00:00.000Z`,
      })),
      next: undefined,
    }));
    const { body = '' } = await counts(undefined);
    expect(JSON.parse(body)).toEqual({
      count: 3,
      counts: [
        { quarantineReason: 'NOT_JSON', eventType: 'B', count: 2, expiresOn: '2026-02-01T00:00:00.000Z' },
        { quarantineReason: 'NOT_JSON', eventType: 'A', count: 1, expiresOn: '2026-02-03T00:00:00.000Z' },
      ],
      newest: '2026-01-03T00:00:00.000Z',
      oldest: '2026-01-01T00:00:00.000Z',
    });
  });

  it('counts at most 10,000 events, and continues with the cursor', async () => {
    const asked: EventPageRequest[] = [];
    const next = { at: receivedOn, id: 'a' };
    const counts = createAnswerQuarantine(async (request) => {
      asked.push(request);
      return { rows: [], next };
    });
    const { nextCursor: cursor } = JSON.parse((await counts({})).body ?? '');
    await counts({ cursor });
    expect(asked).toMatchObject([
      { limit: 10_000, maxRows: 10_000, after: undefined },
      { limit: 10_000, after: next },
    ]);
  });

  it('answers what the table holds', async () => {
    await commit(Buffer.from('counted'), quarantineEvent('COUNTED', 'counted', 'NOT_JSON'));
    const { json } = await ask('GET /quarantine', null, { receivedFrom: receivedOn });
    expect(json['counts']).toContainEqual({
      quarantineReason: 'NOT_JSON',
      eventType: 'COUNTED',
      count: 1,
      expiresOn: '2026-02-01T03:04:05.000Z',
    });
  });
});

describe('promise 8: a failure is answered 5xx without a word of the request', () => {
  it('returns 503 when DynamoDB does not answer', async () => {
    emulators.watch(() => {
      throw new Error(canary);
    });
    const { status, json, logged } = await entityAt('order', 'order-of-somebody');
    expect({ status, json }).toMatchObject({ status: 503, json: { detail: 'Not read.' } });
    expect(logged).toContain('"level":"ERROR"');
    expect(logged).not.toMatch(/order-of-somebody|Erika/);
  });

  it('returns 503 for a route that the function does not know', async () => {
    expect(await ask('GET /else' as QueryRoute, { id: canary })).toMatchObject({ status: 503 });
  });
});
