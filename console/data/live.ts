import type { LiveLine, LiveState } from '#cli/console/live/live-feed.ts';
import type { SampledOverview } from '#cli/console/live/overview-sampler.ts';
import type { LiveMessage, WindowMessage } from './live-hub.ts';
import { openLiveSource } from './live-source.ts';
import { sessionToken } from './session-token.ts';
import { createSharedValue } from './shared-value.ts';

/** `ended`: the server knows this window no longer, and only a new address helps. */
export type Connection = 'connecting' | 'open' | 'lost' | 'ended';

/** The lines that a window keeps. */
const maxLines = 500;

export const connection = createSharedValue<Connection>('connecting');
export const liveState = createSharedValue<LiveState>({ isWatching: false, note: undefined });
/** The latest first. */
export const liveLines = createSharedValue<readonly LiveLine[]>([]);
/** The day of the clock of the deployment, which can be ahead on the laptop. */
export const clockDay = createSharedValue(new Date().toDateString());
export const liveOverview = createSharedValue<SampledOverview | undefined>(undefined);
/** Whether the console server answers, and cannot read the overview any more. */
export const isOverviewLate = createSharedValue(false);

/** In milliseconds: on AWS an overview comes every 30 seconds. */
const lateAfter = 120_000;
let untilLate: ReturnType<typeof setTimeout> | undefined;

/** Lines that came together are shown together. In milliseconds. */
const paintInterval = 150;

let arrived: readonly LiveLine[] = [];
let runId = '';

/** Listens to the server, by the one connection of all windows of this browser. */
export function connectLive(): void {
  if (!('SharedWorker' in globalThis)) {
    openLiveSource(receive, sessionToken);
    return;
  }
  const { port } = new SharedWorker('/assets/live-worker.js', { type: 'module' });
  port.onmessage = ({ data }: MessageEvent<LiveMessage>) => receive(data);
  // The browser releases the lock when the window is gone, after a crash too: then the worker forgets the window.
  const lock = crypto.randomUUID();
  const join = () => {
    port.postMessage({ lock, session: sessionToken() } satisfies WindowMessage);
    return new Promise<void>(() => undefined);
  };
  navigator.locks.request(lock, join).catch(() => connection.set('ended'));
}

function receive({ event, data, receivedAt }: LiveMessage): void {
  switch (event) {
    case 'hello':
      // The numbers of a server that was started again begin again.
      if (runId !== '' && runId !== data) liveLines.set([]);
      runId = data;
      connection.set('open');
      expectOverview(receivedAt);
      break;
    case 'line':
      if (arrived.length === 0) setTimeout(paint, paintInterval);
      arrived = [...arrived, parse<LiveLine>(data)];
      break;
    case 'state':
      liveState.set(parse<LiveState>(data));
      break;
    case 'overview':
      showOverview(parse<SampledOverview>(data));
      expectOverview(receivedAt);
      break;
    case 'connection':
      connection.set(data === 'ended' ? 'ended' : 'lost');
      break;
  }
}

function paint(): void {
  const lines = arrived.toReversed();
  arrived = [];
  liveLines.set([...lines, ...liveLines.get()].slice(0, maxLines));
}

function showOverview(overview: SampledOverview): void {
  liveOverview.set(overview);
  const day = new Date(overview.now).toDateString();
  if (day !== clockDay.get()) clockDay.set(day);
}

/** @param since when the latest overview came, or the connection was opened */
function expectOverview(since: number): void {
  isOverviewLate.set(false);
  clearTimeout(untilLate);
  untilLate = setTimeout(() => isOverviewLate.set(true), Math.max(0, since + lateAfter - Date.now()));
}

/** Not checked: the server and the pages are of one release, and share these types. */
function parse<Content>(json: string): Content {
  const content: Content = JSON.parse(json);
  return content;
}

/** How many lines came since, the latest first. The window keeps only the latest: `500+` if the first of these is gone. */
export function countNewer<Line>([latest]: readonly Line[], lines: readonly Line[]): string {
  const newer = latest === undefined ? lines.length : lines.indexOf(latest);
  return newer < 0 ? `${lines.length}+` : String(newer);
}
