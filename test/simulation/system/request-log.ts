/** A request to the platform, regardless of its result. */
export type LoggedRequest = {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** The process that sent it. */
  readonly process: string;
  /** Method and path. */
  readonly operation: string;
  /** Its body, as text. */
  readonly body: string;
};

export type RequestLog = ReturnType<typeof createRequestLog>;

/** Logs the requests of onboardings: each create, and the first page of each walk over a list. */
export function createRequestLog({ now }: { readonly now: () => number }) {
  const requests: LoggedRequest[] = [];
  return {
    add: (process: { readonly name: string; readonly caller: string }, operation: string, body: unknown): void => {
      if (process.caller !== 'advance' || !/^(POST|GET) \/entities\/[a-z-]+$|^POST \/entities\//.test(operation))
        return;
      requests.push({ at: now(), process: process.name, operation, body: String(body ?? '') });
    },
    all: (): readonly LoggedRequest[] => requests,
  };
}
