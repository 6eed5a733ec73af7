import type { LiveLine, LiveState } from '#cli/console/live/live-feed.ts';
import type { SampledOverview } from '#cli/console/live/overview-sampler.ts';
import { createStore } from './store.ts';

/** `ended`: the server knows this window no longer, and only a new address helps. */
export type Connection = 'connecting' | 'open' | 'lost' | 'ended';

/** The lines that a window keeps. */
const maxLines = 500;

export const connection = createStore<Connection>('connecting');
export const liveState = createStore<LiveState>({ isWatching: false, note: undefined });
/** The latest first. */
export const liveLines = createStore<readonly LiveLine[]>([]);
/** The day of the clock of the deployment, which can be ahead on the laptop. */
export const clockDay = createStore(new Date().toDateString());
export const liveOverview = createStore<SampledOverview | undefined>(undefined);

/** Lines that came together are shown together. In milliseconds. */
const paintInterval = 150;

/** Listens to the server. The browser connects again by itself, and asks for the lines that it missed. */
export function connectLive(): void {
  let arrived: readonly LiveLine[] = [];
  let runId = '';
  const paint = () => {
    const lines = arrived.toReversed();
    arrived = [];
    liveLines.set([...lines, ...liveLines.get()].slice(0, maxLines));
  };
  const source = new EventSource('/api/live');
  source.addEventListener('hello', ({ data }) => {
    // The numbers of a server that was started again begin again.
    if (runId !== '' && runId !== data) liveLines.set([]);
    runId = data;
    connection.set('open');
  });
  source.addEventListener('line', ({ data }) => {
    const line: LiveLine = JSON.parse(data);
    if (arrived.length === 0) setTimeout(paint, paintInterval);
    arrived = [...arrived, line];
  });
  source.addEventListener('state', ({ data }) => {
    const state: LiveState = JSON.parse(data);
    liveState.set(state);
  });
  source.addEventListener('overview', ({ data }) => {
    const overview: SampledOverview = JSON.parse(data);
    liveOverview.set(overview);
    const day = new Date(overview.now).toDateString();
    if (day !== clockDay.get()) clockDay.set(day);
  });
  source.addEventListener('error', () => {
    connection.set(source.readyState === EventSource.CLOSED ? 'ended' : 'lost');
  });
}
