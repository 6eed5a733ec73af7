import { EventSource } from 'eventsource';
import type { LiveMessage, LiveSource } from './live-hub.ts';
import { sessionHeaders } from './session-token.ts';

const events = ['hello', 'line', 'state', 'overview'] as const;

/**
 * Listens to the server. The source connects again by itself, and asks for the lines that it missed. It is not that of the browser,
 * which sends no header.
 */
export function openLiveSource(onMessage: (message: LiveMessage) => void, session: () => string): LiveSource {
  const source = new EventSource(new URL('/api/live', location.origin), {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...sessionHeaders(session()) } }),
  });
  const pass = (event: LiveMessage['event'], data: string) => onMessage({ event, data, receivedAt: Date.now() });
  const isEnded = () => source.readyState === EventSource.CLOSED;
  for (const event of events) source.addEventListener(event, ({ data }) => pass(event, data));
  source.addEventListener('error', () => pass('connection', isEnded() ? 'ended' : 'lost'));
  return { isEnded, close: () => source.close() };
}
