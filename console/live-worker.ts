import { createLiveHub } from './data/live-hub.ts';
import { openLiveSource } from './data/live-source.ts';

const hub = createLiveHub(openLiveSource);

// Each window sends the name of a lock that it holds as long as it lives. A port does not say when its window is gone.
addEventListener('connect', (event) => {
  if (!(event instanceof MessageEvent)) return;
  for (const port of event.ports)
    port.onmessage = ({ data: lock }: MessageEvent<string>) => {
      const leave = hub.join(port);
      navigator.locks.request(lock, leave).catch(leave);
    };
});
