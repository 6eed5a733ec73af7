/** A request that the platform was sent, whatever became of it. */
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

/** What onboardings ask of the platform: each create, and each walk over a list, by its first page. */
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
