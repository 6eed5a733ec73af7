import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { LiveFeed, LiveLine, LiveState } from '#cli/console/live/live-feed.ts';
import type { OverviewSampler } from '#cli/console/live/overview-sampler.ts';

export type LiveRouteDeps = {
  readonly feed: LiveFeed;
  readonly sampler: OverviewSampler;
  /** Distinguishes the numbers of this server from those of an earlier one. */
  readonly runId: string;
};

/** In milliseconds: when the browser connects again. */
const retry = 1_000;

/** In milliseconds: so that both sides notice a connection that is gone. */
const heartbeat = 15_000;

/** Server-sent events: `line` for each webhook and bus event, `state` of the feed, and `overview`. */
export function answerLive(context: Context, { feed, sampler, runId }: LiveRouteDeps): Response {
  return streamSSE(context, async (stream) => {
    const closed = Promise.withResolvers<void>();
    const send = (message: Parameters<typeof stream.writeSSE>[0]) => {
      stream.writeSSE(message).catch(() => closed.resolve());
    };
    const after = lineAfter(context.req.header('last-event-id'), runId);
    const idOf = (number: number) => `${runId}-${number}`;
    // With an id from the beginning on, a window that has seen no line yet gets those that it misses, too.
    send({ id: idOf(after ?? feed.lastNumber()), event: 'hello', data: runId, retry });
    const beat = setInterval(() => send({ event: 'beat', data: '' }), heartbeat);
    const leaveFeed = feed.subscribe(after, {
      onLine: (line: LiveLine) => send({ id: idOf(line.number), event: 'line', data: JSON.stringify(line) }),
      onState: (state: LiveState) => send({ event: 'state', data: JSON.stringify(state) }),
    });
    const leaveSampler = sampler.subscribe((overview) => send({ event: 'overview', data: JSON.stringify(overview) }));
    stream.onAbort(() => closed.resolve());
    await closed.promise;
    clearInterval(beat);
    leaveFeed();
    leaveSampler();
  });
}

/** The number after which lines are sent again: all that is kept after a restart of this server, and none to a new window. */
export function lineAfter(lastEventId: string | undefined, runId: string): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined;
  const [run, number = ''] = lastEventId.split('-');
  return run === runId ? Number.parseInt(number, 10) || 0 : 0;
}
