import type { LiveMessage, LiveSource } from './live-message.ts';

const events = ['hello', 'line', 'state', 'overview'] as const;

/** Listens to the server. The browser connects again by itself, and asks for the lines that it missed. */
export function openLiveSource(onMessage: (message: LiveMessage) => void): LiveSource {
  const source = new EventSource('/api/live');
  const isEnded = () => source.readyState === EventSource.CLOSED;
  for (const event of events) source.addEventListener(event, ({ data }) => onMessage({ event, data }));
  source.addEventListener('error', () => onMessage({ event: 'connection', data: isEnded() ? 'ended' : 'lost' }));
  return { isEnded, close: () => source.close() };
}
