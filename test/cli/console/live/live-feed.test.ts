import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import {
  createLiveFeed,
  type LiveFeed,
  type LiveFeedDeps,
  type LiveLine,
  type LiveState,
} from '#cli/console/live/live-feed.ts';
import { answerLive, lineAfter } from '#cli/console/server/live-route.ts';
import type { TailLine } from '#cli/tail/tail-line.ts';

const line = (type: string): TailLine => ({
  source: 'bus',
  time: '2026-01-02T03:04:05Z',
  type,
  eventId: undefined,
  about: undefined,
  status: undefined,
});

/** A deployment that sends what the test says, and a clock on which the test decides. */
function createFeed(watchFirst: () => void = () => undefined) {
  const waits: (() => void)[] = [];
  let on: Parameters<LiveFeedDeps['watch']>[0] | undefined;
  let watching = 0;
  const feed = createLiveFeed({
    watch: async (handlers, stop) => {
      watchFirst();
      on = handlers;
      watching += 1;
      handlers.watching();
      await new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
      watching -= 1;
    },
    wait: (_, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) resolve();
        signal?.addEventListener('abort', () => resolve());
        waits.push(resolve);
      }),
  });
  return {
    feed,
    send: async (...types: readonly string[]) => on?.lines(types.map(line)),
    passTime: async () => {
      for (const end of waits.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    },
    watching: () => watching,
  };
}

function createWindow() {
  const lines: LiveLine[] = [];
  const states: LiveState[] = [];
  return {
    listener: { onLine: (each: LiveLine) => lines.push(each), onState: (each: LiveState) => states.push(each) },
    types: () => lines.map(({ type }) => type),
    lastNumber: () => lines.at(-1)?.number,
    states,
  };
}

describe('the live feed', () => {
  it('hands a window that connects again the lines that it missed, and no other', async () => {
    const { feed, send } = createFeed();
    const [first, second] = [createWindow(), createWindow()];
    const leave = feed.subscribe(undefined, first.listener);
    await send('A', 'B');
    leave();
    await send('C');
    feed.subscribe(first.lastNumber(), second.listener);
    await send('D');
    expect([first.types(), second.types()]).toEqual([
      ['A', 'B'],
      ['C', 'D'],
    ]);
    await feed.close();
  });

  it('watches once for all windows, and ends a while after the last one has left', async () => {
    const { feed, passTime, watching } = createFeed();
    const leaveFirst = feed.subscribe(undefined, createWindow().listener);
    const leaveSecond = feed.subscribe(undefined, createWindow().listener);
    expect(watching()).toBe(1);
    leaveFirst();
    await passTime();
    expect(watching()).toBe(1);
    leaveSecond();
    feed.subscribe(undefined, createWindow().listener)();
    expect(watching()).toBe(1);
    await passTime();
    expect(watching()).toBe(0);
  });

  it('says why it does not watch, and tries again', async () => {
    let failures = 1;
    const { feed, passTime, watching } = createFeed(() => {
      failures -= 1;
      if (failures === 0) throw new Error('The bus cannot be subscribed to.');
    });
    const window = createWindow();
    feed.subscribe(undefined, window.listener);
    await expect.poll(() => window.states.at(-1)?.note).toBe('The bus cannot be subscribed to.');
    await passTime();
    expect(watching()).toBe(1);
    expect(window.states.at(-1)).toEqual({ isWatching: true, note: undefined });
    await feed.close();
  });

  it('says that it does not watch a deployment that has nothing to watch, and tries again for the next window only', async () => {
    let attempts = 0;
    const feed = createLiveFeed({
      watch: async ({ watching, note }) => {
        attempts += 1;
        watching();
        note('Webhooks need the setting listEvents.');
      },
      wait: () => new Promise((resolve) => setImmediate(resolve)),
    });
    const window = createWindow();
    feed.subscribe(undefined, window.listener);
    await expect
      .poll(() => window.states.at(-1))
      .toEqual({ isWatching: false, note: 'Webhooks need the setting listEvents.' });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(attempts).toBe(1);
    feed.subscribe(undefined, createWindow().listener);
    expect(attempts).toBe(2);
    await feed.close();
  });
});

/** Reads the live route until the text has come, as a browser that connects does. */
async function readLive(feed: LiveFeed, lastEventId: string | undefined, until: string): Promise<string> {
  const sampler = {
    subscribe: () => () => undefined,
    read: () => Promise.reject(new Error('not read here')),
    close: () => undefined,
  };
  const app = new Hono().get('/', (context) => answerLive(context, { feed, sampler, runId: 'run1' }));
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const reader = (await app.request('/', { headers })).body?.getReader();
  let text = '';
  while (!text.includes(until)) text += new TextDecoder().decode((await reader?.read())?.value);
  await reader?.cancel();
  return text;
}

it('sends a window the lines that it missed, although it had seen none', async () => {
  const { feed, send } = createFeed();
  feed.subscribe(undefined, createWindow().listener);
  await send('A');
  const greeting = await readLive(feed, undefined, 'retry');
  expect(greeting).not.toContain('"type":"A"');
  await send('B');
  const missed = await readLive(feed, /^id: (.+)$/m.exec(greeting)?.[1], '"type":"B"');
  expect(missed).not.toContain('"type":"A"');
  await feed.close();
});

it.each([
  ['none to a new window', undefined, undefined],
  ['those after the last one', 'run1-17', 17],
  ['all to a window that saw an earlier server', 'run0-17', 0],
  ['all for a text of another form', 'run1-x', 0],
])('sends lines again: %s', (_, lastEventId, expected) => {
  expect(lineAfter(lastEventId, 'run1')).toBe(expected);
});
