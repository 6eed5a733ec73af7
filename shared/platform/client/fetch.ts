/** What calls use of `fetch`. Node's own is one. */
export type PlatformFetch = (
  url: string,
  request: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    /** A redirect is an answer: no other host gets the token. */
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<FetchedAnswer>;

/** What calls use of a Response. */
export type FetchedAnswer = {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  /** The body, as it was before it was compressed. @throws {AnswerTooLargeError} */
  readonly bytes: () => Promise<Uint8Array>;
};

/** In bytes, of a body that is not compressed: a page of large records, in the memory of a function. */
export const maxAnswerBytes = 32 * 1024 * 1024;

/** The body of an answer is too large: it is not read to its end. Compressed, 300 KB can hold 300 MB. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
  /** In bytes. */
  readonly limit: number;

  constructor(limit: number) {
    super(`The answer has more than ${limit} bytes.`);
    this.limit = limit;
  }
}
