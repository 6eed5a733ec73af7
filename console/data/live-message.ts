/** What a window gets from the server: an event of its live route with its JSON, or that the connection is gone. */
export type LiveMessage = {
  readonly event: 'hello' | 'line' | 'state' | 'overview' | 'connection';
  /** Of `connection`: `lost` or `ended`. */
  readonly data: string;
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
