/** What a window gets from the server: an event of its live route with its JSON, or that the connection is gone. */
export type LiveMessage = {
  readonly event: 'hello' | 'line' | 'state' | 'overview' | 'connection';
  /** Of `connection`: `lost` or `ended`. */
  readonly data: string;
  /** When the connection got it, in milliseconds since 1970: a window that joins later gets it once more. */
  readonly receivedAt: number;
};

/** What a window sends the worker when it joins. */
export type WindowMessage = {
  /** A lock that the window holds as long as it lives. */
  readonly lock: string;
  /** A worker cannot read the storage of the pages. */
  readonly session: string;
};

/** A connection to the live route of the server. */
export type LiveSource = {
  /** Whether the server has ended the session, so that the browser does not connect again. */
  readonly isEnded: () => boolean;
  readonly close: () => void;
};

/** A window of the console. */
export type LiveWindow = { readonly postMessage: (message: LiveMessage) => void };

export type LiveHub = {
  /** Sends a window what the others know, and from then on what comes. @returns what forgets the window */
  readonly join: (window: LiveWindow) => () => void;
};

/** Passes one connection on to all windows. The connection is open while there is a window. */
export function createLiveHub(open: (onMessage: (message: LiveMessage) => void) => LiveSource): LiveHub {
  const windows = new Set<LiveWindow>();
  /** The latest message of each event: what a window that joins late has missed. */
  const latest = new Map<LiveMessage['event'], LiveMessage>();
  let source: LiveSource | undefined;

  function onMessage(message: LiveMessage): void {
    if (message.event === 'hello') latest.delete('connection');
    // As with a connection of its own, a window gets the lines that come after it has joined.
    if (message.event !== 'line') latest.set(message.event, message);
    for (const window of windows) window.postMessage(message);
  }

  function close(): void {
    source?.close();
    source = undefined;
    latest.clear();
  }

  return {
    join: (window) => {
      // A new address has opened a new session meanwhile.
      if (source?.isEnded() === true) close();
      windows.add(window);
      source ??= open(onMessage);
      for (const message of latest.values()) window.postMessage(message);
      return () => {
        windows.delete(window);
        if (windows.size === 0) close();
      };
    },
  };
}
