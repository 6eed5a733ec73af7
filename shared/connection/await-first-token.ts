import type { Log } from '#shared/lambda/log.ts';
import type { PlatformConnection } from './platform-connection.ts';

/** What a run answers that had no token to call the platform with. */
export type Skipped = { readonly skipped: string };

export type AwaitFirstTokenDeps<Request extends readonly unknown[]> = {
  readonly connection: Pick<PlatformConnection, 'hasToken'>;
  readonly log: Log;
  /** Throws where a run would refuse the request: a skipped one does too. */
  readonly checkRequest?: (...request: Request) => unknown;
  /** Writes what shows the alarms that the function runs. */
  readonly onSkipped?: () => void;
};

const reason = 'There is no platform token yet. Put the credentials into the secret PlatformCredentials.';

/**
 * Skips the runs of a function from its deployment until the first token. Without credentials a run has nothing to do:
 * nothing has failed. Once there was a token, a missing one is an error.
 */
export function awaitFirstToken<Request extends readonly unknown[], Answer>(
  run: (...request: Request) => Promise<Answer>,
  { connection, log, checkRequest, onSkipped }: AwaitFirstTokenDeps<Request>,
) {
  return async (...request: Request): Promise<Answer | Skipped> => {
    if (await connection.hasToken()) return run(...request);
    checkRequest?.(...request);
    log.info('run skipped before the first token');
    onSkipped?.();
    return { skipped: reason };
  };
}
