import * as z from 'zod/mini';
import { parseJson } from '#shared/parse-json.ts';
import { emptyTally, eventTally } from './event-tally.ts';
import { beginLanes, lanes } from './lanes.ts';
import { type ReplayRequest, ReplayRequestError, readReplayRequest } from './replay-request.ts';

/** How far a replay has come. It counts first; in mode `replay` it then sends. */
const progress = z.object({
  phase: z.enum(['counting', 'sending']),
  /** Of the list that is walked in this phase. */
  lanes,
  tally: eventTally,
  replayed: z.int().check(z.nonnegative()),
});

export type ReplayProgress = z.infer<typeof progress>;

/** A replay, which may take several invocations. */
export type ReplayRun = { readonly request: ReplayRequest; readonly progress: ReplayProgress };

const continuation = z.strictObject({ continueFrom: z.string() });
const written = z.object({ request: z.unknown(), progress });

/**
 * What an invocation is to do: a request, or the rest of one, as `{"continueFrom"}`.
 *
 * @param lanesOf in how many lanes the list of a request is cut
 * @throws {ReplayRequestError}
 */
export function readReplayRun(event: unknown, lanesOf: (request: ReplayRequest) => number): ReplayRun {
  const continued = continuation.safeParse(event);
  if (!continued.success) {
    const request = readReplayRequest(event);
    const begin = { phase: 'counting', tally: emptyTally, replayed: 0 } as const;
    return { request, progress: { ...begin, lanes: beginLanes(lanesOf(request)) } };
  }
  const run = readContinuation(continued.data.continueFrom);
  if (run.progress.lanes.length === lanesOf(run.request)) return run;
  throw new ReplayRequestError('"continueFrom" was answered by another release: count and replay again.');
}

/** What was counted, before anything of it is sent. */
export function beginSending({ request, progress: counted }: ReplayRun): ReplayRun {
  return { request, progress: { ...counted, phase: 'sending', lanes: beginLanes(counted.lanes.length) } };
}

/** The rest of a run as one word, which holds the request too: the two cannot be mixed up. */
export function writeContinuation(run: ReplayRun): string {
  return Buffer.from(JSON.stringify(run)).toString('base64url');
}

function readContinuation(text: string): ReplayRun {
  const result = written.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!result.success) throw new ReplayRequestError('"continueFrom" is not what replay has answered: copy all of it.');
  return { request: readReplayRequest(result.data.request), progress: result.data.progress };
}
