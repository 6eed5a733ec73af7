import { expect, it } from 'vitest';
import { createLiveHub, type LiveMessage } from '#console/data/live-hub.ts';

/** A hub whose server is the test. */
function createHub() {
  const sources: { readonly send: (message: LiveMessage) => void; isEnded: boolean; isClosed: boolean }[] = [];
  const hub = createLiveHub((send) => {
    const source = { send, isEnded: false, isClosed: false };
    sources.push(source);
    return {
      isEnded: () => source.isEnded,
      close: () => {
        source.isClosed = true;
      },
    };
  });
  const join = () => {
    const messages: string[] = [];
    const leave = hub.join({ postMessage: ({ event, data }) => messages.push(`${event} ${data}`) });
    return { messages, leave };
  };
  return {
    join,
    sources,
    send: (event: LiveMessage['event'], data: string) => sources.at(-1)?.send({ event, data, receivedAt: 0 }),
  };
}

it('passes one connection on to every window, and sends a later window the state and no earlier line', () => {
  const { join, send, sources } = createHub();
  const first = join();
  send('hello', 'run1');
  send('state', 's1');
  send('line', 'a');
  send('state', 's2');
  const second = join();
  send('line', 'b');
  expect(first.messages).toEqual(['hello run1', 'state s1', 'line a', 'state s2', 'line b']);
  expect(second.messages).toEqual(['hello run1', 'state s2', 'line b']);
  expect(sources).toHaveLength(1);
});

it('reports the lost connection to a window that joins, and nothing after the reconnect', () => {
  const { join, send } = createHub();
  join();
  send('hello', 'run1');
  send('connection', 'lost');
  expect(join().messages).toEqual(['hello run1', 'connection lost']);
  send('hello', 'run1');
  expect(join().messages).toEqual(['hello run1']);
});

it('forgets a window that is gone, and closes the connection with the last one', () => {
  const { join, send, sources } = createHub();
  const [first, second] = [join(), join()];
  first.leave();
  send('line', 'a');
  expect([first.messages, second.messages]).toEqual([[], ['line a']]);
  expect(sources.map(({ isClosed }) => isClosed)).toEqual([false]);
  second.leave();
  expect(sources.map(({ isClosed }) => isClosed)).toEqual([true]);
  join();
  expect(sources.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

it('connects again for all windows when one joins after the session has ended', () => {
  const { join, send, sources } = createHub();
  const first = join();
  send('connection', 'ended');
  for (const source of sources) source.isEnded = true;
  const second = join();
  send('hello', 'run2');
  expect([first.messages, second.messages]).toEqual([['connection ended', 'hello run2'], ['hello run2']]);
});
