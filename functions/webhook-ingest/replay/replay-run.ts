import * as z from 'zod/mini';
import { InvalidRequestError } from '#shared/drawbridge-error.ts';
import { lanePosition, type ScanPage } from '#shared/events/scan-events.ts';
import { parseJson } from '#shared/parse-json.ts';
import { type ReplayRequest, readReplayRequest } from './replay-request.ts';

const count = z.int().check(z.nonnegative());

/** How many there are of each. Not an object: the platform may name an event type as it likes. */
const counts = z.array(z.tuple([z.string(), count]));

/** The counts so far. */
const eventTally = z.object({
  count,
  byReason: counts,
  byEventType: counts,
  /** When the first and the last of them arrived. */
  oldest: z.optional(z.string()),
  newest: z.optional(z.string()),
  /** Requested ids that do not count. */
  leftOut: z.array(z.string()),
});

export type EventTally = z.infer<typeof eventTally>;

const emptyTally: EventTally = { count: 0, byReason: [], byEventType: [], leftOut: [] };

export function addPage(tally: EventTally, { events, leftOut = [] }: ScanPage): EventTally {
  const times = events.map(({ receivedOn }) => receivedOn);
  const ends = [tally.oldest, tally.newest, ...times].filter((time) => time !== undefined).toSorted();
  return {
    count: tally.count + events.length,
    byReason: add(
      tally.byReason,
      events.map(({ quarantineReason }) => quarantineReason),
    ),
    byEventType: add(
      tally.byEventType,
      events.map(({ eventType }) => eventType),
    ),
    oldest: ends.at(0),
    newest: ends.at(-1),
    leftOut: [...tally.leftOut, ...leftOut],
  };
}

function add(sofar: EventTally['byReason'], words: readonly (string | undefined)[]): EventTally['byReason'] {
  const sums = new Map(sofar);
  for (const word of words) if (word !== undefined) sums.set(word, (sums.get(word) ?? 0) + 1);
  return [...sums];
}

/** The most frequent first. */
export function describeCounts(sums: EventTally['byReason']): Readonly<Record<string, number>> {
  return Object.fromEntries(
    sums.toSorted(([one, ofOne], [other, ofOther]) => ofOther - ofOne || (one < other ? -1 : 1)),
  );
}

/** How far each lane of a list was read. */
export const lanes = z.array(z.union([z.enum(['begin', 'end']), lanePosition]));

export type Lanes = z.infer<typeof lanes>;

export function beginLanes(length: number): Lanes {
  return Array.from({ length }, () => 'begin' as const);
}

export function isWalked(walked: Lanes): boolean {
  return walked.every((lane) => lane === 'end');
}

/** How far a replay has come. It counts first; in mode `replay` it then sends. */
const progress = z.object({
  phase: z.enum(['counting', 'sending']),
  /** The place in the list that this phase reads. */
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
 * The task of an invocation: a request, or the rest of one, as `{"continueFrom"}`.
 *
 * @param lanesOf the number of lanes in which the list of a request is divided
 * @throws {InvalidRequestError}
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
  throw new InvalidRequestError(
    'ReplayRequestError',
    '"continueFrom" was answered by another release: count and replay again.',
  );
}

/** The task after the count, before anything is sent. */
export function beginSending({ request, progress: counted }: ReplayRun): ReplayRun {
  return { request, progress: { ...counted, phase: 'sending', lanes: beginLanes(counted.lanes.length) } };
}

/** The rest of a run as one word, together with the request, so that the two always match. */
export function writeContinuation(run: ReplayRun): string {
  return Buffer.from(JSON.stringify(run)).toString('base64url');
}

function readContinuation(text: string): ReplayRun {
  const result = written.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!result.success)
    throw new InvalidRequestError(
      'ReplayRequestError',
      '"continueFrom" is not what replay has answered: copy all of it.',
    );
  return { request: readReplayRequest(result.data.request), progress: result.data.progress };
}
