/** What calls use of `fetch`. Node's own is one. */
export type PlatformFetch = (
  url: string,
  request: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    /** An answer that leads elsewhere is an answer: nobody else gets the token. */
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<FetchedAnswer>;

/** What calls use of a Response. */
export type FetchedAnswer = {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly bytes: () => Promise<Uint8Array>;
};
