/** What every call takes besides what it is about. */
export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds: how long the call may take with all its attempts. That of the profile unless given. */
  readonly deadline?: number | undefined;
  /** Whether it is not sent again where it fails: for a caller that paces its own attempts. */
  readonly isSentOnce?: boolean | undefined;
};

export type PlatformRequest = {
  /** As section 4 calls it: names the call in errors. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below {base_url}; variables already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** The natural person on whose behalf it is (section 5, Requestor-ID header). */
  readonly requestorId?: string | undefined;
  /** Checked already: goes out as JSON. */
  readonly body?: unknown;
  /** The media type that the answer should have; JSON unless given. */
  readonly accept?: string;
  /** Whether doing it twice does no more than doing it once. GET and DELETE are, unless said otherwise. */
  readonly isIdempotent?: boolean;
  /** Whether Not Found can mean that an INVALID record was purged (section 3.3). */
  readonly mayBePurged?: boolean;
};
