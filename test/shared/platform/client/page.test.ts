import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { PlatformHttpError, PlatformInputError, PlatformSchemaError } from '#shared/platform/client/errors.ts';
import { type ListOptions, listAll } from '#shared/platform/client/page.ts';
import { inTurn, json, platformOfFile, type Respond } from './platform-server.ts';
import { all, createTestClient, errorOf } from './test-client.ts';

const server = platformOfFile();

const item = z.looseObject({ id: z.number() });

function list(options: ListOptions = {}) {
  const { client } = createTestClient(server.baseUrl);
  return listAll(
    client,
    item,
    { operation: 'List things', method: 'GET', path: '/things', query: { a: 'b' } },
    options,
  );
}

/** Pages by the cursor that asks for them; '' is the first. What each says of the next is anything. */
function pages(byCursor: Readonly<Record<string, unknown>>): Respond {
  return (request, response) => {
    const cursor = new URL(request.url, server.baseUrl).searchParams.get('cursor') ?? '';
    return json(cursor in byCursor ? 200 : 400, byCursor[cursor])(request, response);
  };
}

function page(ids: readonly number[], cursor: unknown) {
  return { data: ids.map((id) => ({ id })), pagination: { cursor, limit: 20 } };
}

const ids = async (options?: ListOptions) => (await all(list(options))).map(({ id }) => id);

describe('section 2.3: a list of pages', () => {
  it('reads the list to its end, with each cursor unchanged', async () => {
    server.answerWith(pages({ '': page([1, 2], 'a b&c=/+é'), 'a b&c=/+é': page([3], 'z'), z: page([], '') }));
    expect(await ids()).toEqual([1, 2, 3]);
    expect(server.requests.map(({ url }) => new URL(url, server.baseUrl).searchParams.toString())).toEqual([
      'a=b&limit=20',
      'a=b&cursor=a+b%26c%3D%2F%2B%C3%A9&limit=20',
      'a=b&cursor=z&limit=20',
    ]);
  });

  it.each([
    ['an empty cursor', page([1], '')],
    ['null', page([1], null)],
    ['no cursor', { data: [{ id: 1 }], pagination: { limit: 20 } }],
    ['pagination that is null', { data: [{ id: 1 }], pagination: null }],
    ['no pagination', { data: [{ id: 1 }] }],
    ['a bare array', [{ id: 1 }]],
  ])('ends the list at %s', async (_, body) => {
    server.answerWith(json(200, body));
    expect(await ids()).toEqual([1]);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['itself', { '': page([1], 'a'), a: page([2], 'a') }, [1, 2]],
    ['one before it', { '': page([1], 'a'), a: page([2], 'b'), b: page([3], 'c'), c: page([4], 'a') }, [1, 2, 3, 4]],
  ])('ends at a cursor that repeats %s', async (_, byCursor, expected) => {
    server.answerWith(pages(byCursor));
    expect(await ids()).toEqual(expected);
    expect(server.requests).toHaveLength(expected.length);
  });

  it.each([
    ['is longer than 4,096 characters', 'x'.repeat(4_097)],
    ['has half a surrogate pair', 'x\ud800'],
  ])('yields the items of a page whose cursor %s, then fails', async (_, cursor) => {
    server.answerWith(pages({ '': page([1, 2], cursor), [cursor]: page([3], '') }));
    const found: number[] = [];
    const walk = async () => {
      for await (const { id } of list()) found.push(id);
    };
    await expect(walk()).rejects.toMatchObject({ name: 'PlatformCursorError', isRetryable: false });
    expect(found).toEqual([1, 2]);
  });

  it('sends a cursor of 4,096 characters', async () => {
    const cursor = 'x'.repeat(4_096);
    server.answerWith(pages({ '': page([1], cursor), [cursor]: page([2], '') }));
    expect(await ids()).toEqual([1, 2]);
  });

  it('ends at the cursor of the first request', async () => {
    server.answerWith(pages({ a: page([1], 'b'), b: page([2], 'a') }));
    expect(await ids({ cursor: 'a' })).toEqual([1, 2]);
  });

  it('continues after a page without items', async () => {
    server.answerWith(pages({ '': page([], 'a'), a: page([1], '') }));
    expect(await ids()).toEqual([1]);
  });

  it('throws a PlatformSchemaError for more malformed items than the stack of a process holds', async () => {
    server.answerWith(json(200, { data: Array.from({ length: 200_000 }, () => 1) }));
    await expect(all(list())).rejects.toBeInstanceOf(PlatformSchemaError);
  });

  it('keeps the fields that the schema does not name', async () => {
    server.answerWith(json(200, { data: [{ id: 1, more: { a: [1] } }], pagination: { cursor: '', more: 1 }, more: 1 }));
    expect(await all(list())).toEqual([{ id: 1, more: { a: [1] } }]);
  });
});

describe('lists: items and pages', () => {
  it('returns with each page the cursor of the next one', async () => {
    server.answerWith(pages({ '': page([1, 2], 'a'), a: page([3], 'a') }));
    expect(await all(list().pages())).toEqual([
      { items: [{ id: 1 }, { id: 2 }], next: 'a' },
      { items: [{ id: 3 }], next: undefined },
    ]);
    expect(await ids({ cursor: 'a' })).toEqual([3]);
  });

  it('repeats a failed page, but the first one only unless it is to be sent once', async () => {
    server.answerWith(inTurn(json(503, {}), json(200, page([1], ''))));
    expect(await ids()).toEqual([1]);
    server.answerWith(inTurn(json(200, page([1], 'a')), json(503, {}), json(200, page([2], ''))));
    expect(await ids({ isFirstPageSentOnce: true })).toEqual([1, 2]);
    server.answerWith(inTurn(json(503, {}), json(200, page([1], ''))));
    await expect(ids({ isFirstPageSentOnce: true })).rejects.toMatchObject({ status: 503 });
    expect(server.requests).toHaveLength(1);
  });

  it('calls nothing before the iteration, and each page when it is needed', async () => {
    server.answerWith(pages({ '': page([1, 2], 'a'), a: page([3], '') }));
    const iterator = list()[Symbol.asyncIterator]();
    expect(server.requests).toHaveLength(0);
    await iterator.next();
    await iterator.next();
    expect(server.requests).toHaveLength(1);
    await iterator.next();
    expect(server.requests).toHaveLength(2);
  });

  it('stops calling when the loop ends early', async () => {
    server.answerWith(pages({ '': page([1, 2], 'a'), a: page([3], '') }));
    for await (const { id } of list()) if (id === 2) break;
    expect(server.requests).toHaveLength(1);
  });

  it('calls the platform again for each iteration', async () => {
    server.answerWith(pages({ '': page([1], 'a'), a: page([2], '') }));
    const things = list();
    expect(await all(things)).toHaveLength(2);
    expect(await all(things)).toHaveLength(2);
    expect(await all(things.pages())).toHaveLength(2);
    expect(server.requests).toHaveLength(6);
  });

  it('keeps two concurrent walks apart', async () => {
    server.answerWith(pages({ '': page([1], 'a'), a: page([2], '') }));
    const things = list();
    expect(await Promise.all([all(things), all(things)])).toEqual([
      [{ id: 1 }, { id: 2 }],
      [{ id: 1 }, { id: 2 }],
    ]);
  });

  it('sends the limit of the caller (section 8)', async () => {
    server.answerWith(json(200, []));
    await ids({ limit: 7 });
    expect(server.requests[0]?.url).toBe('/things?a=b&limit=7');
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses the limit %d before a call', async (limit) => {
    server.answerWith(json(200, []));
    const error = await errorOf(PlatformInputError, ids({ limit }));
    expect(error.message).toContain('limit: must be');
    expect(server.requests).toHaveLength(0);
  });
});

describe('lists: failures', () => {
  it.each([
    ['an item', { data: [{ id: 1 }, { id: 'Erika' }], pagination: {} }, 'data.1.id'],
    ['an item of a bare array', [{ id: 'Erika' }], 'data.0.id'],
    ['a cursor that is no text', page([1], {}), 'pagination.cursor'],
    ['no data', { pagination: {} }, 'data'],
    ['no object', 'Erika', 'the body'],
  ])('names %s when it is malformed', async (_, body, field) => {
    server.answerWith(json(200, body));
    const error = await errorOf(PlatformSchemaError, ids());
    expect(error.fields).toEqual([field]);
    expect(error.message).not.toContain('Erika');
  });

  it('yields the items of the pages before a refused one, then fails', async () => {
    server.answerWith(inTurn(json(200, page([1, 2], 'a')), json(403, {})));
    const seen: number[] = [];
    const walk = async () => {
      for await (const { id } of list()) seen.push(id);
    };
    await errorOf(PlatformHttpError, walk);
    expect(seen).toEqual([1, 2]);
  });
});
