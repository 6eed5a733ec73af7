import { createLiveHub, type WindowMessage } from './data/live-hub.ts';
import { openLiveSource } from './data/live-source.ts';

/** Of the window that joined last: a new address has opened a new session. */
let session = '';
const hub = createLiveHub((onMessage) => openLiveSource(onMessage, () => session));

// A port does not say when its window is gone: the lock of the window does.
addEventListener('connect', (event) => {
  if (!(event instanceof MessageEvent)) return;
  for (const port of event.ports)
    port.onmessage = ({ data }: MessageEvent<WindowMessage>) => {
      session = data.session;
      const leave = hub.join(port);
      navigator.locks.request(data.lock, leave).catch(leave);
    };
});
