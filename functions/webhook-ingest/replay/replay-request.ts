import * as z from 'zod/mini';
import { InvalidRequestError } from '#shared/drawbridge-error.ts';

const word = z.string().check(z.minLength(1));
const eventId = z.string().check(z.regex(/^[\da-f]{64}$/));

/** As events have it: in UTC, with milliseconds, so that texts compare as times do. */
const time = z.pipe(
  z.iso.datetime({ offset: true }),
  z.transform((text) => new Date(text).toISOString()),
);

/** The request of `replay`. Strict: a typo must not replay more events. */
const replayRequest = z.strictObject({
  /** `count` shows how many events there are, and the request that replays them. `replay` replays them. */
  mode: z._default(z.enum(['count', 'replay']), 'count'),
  /** Only these events; cannot be combined with the next four. */
  eventIds: z.optional(z.array(eventId).check(z.minLength(1), z.maxLength(1_000))),
  eventType: z.optional(word),
  /** Why they are in quarantine. */
  reason: z.optional(word),
  /** When the first delivery arrived; both are inclusive. */
  receivedFrom: z.optional(time),
  receivedTo: z.optional(time),
  /** `all` are those in quarantine, and those that had their effect: for a type that the profile places otherwise now. */
  events: z._default(z.enum(['quarantined', 'all']), 'quarantined'),
  /** The number from the count: more events are not replayed. */
  expected: z.optional(z.int().check(z.nonnegative())),
});

export type ReplayRequest = z.infer<typeof replayRequest>;

const usage =
  'Invoke replay with {"mode": "count"}, and "eventIds", or any of "eventType", "reason", "receivedFrom", "receivedTo" and "events": "quarantined" | "all"; then with the request that the count answers as "replay".';

/** @throws {InvalidRequestError} */
export function readReplayRequest(value: unknown): ReplayRequest {
  const result = replayRequest.safeParse(value);
  if (!result.success) throw new InvalidRequestError('ReplayRequestError', `${usage}${describe(result.error.issues)}`);
  const request = result.data;
  const refusal = refusals.find(({ when }) => when(request));
  if (refusal !== undefined) throw new InvalidRequestError('ReplayRequestError', refusal.message);
  return { ...request, ...(request.eventIds && { eventIds: [...new Set(request.eventIds)] }) };
}

function describe(issues: readonly { readonly path: readonly PropertyKey[] }[]): string {
  const fields = [...new Set(issues.map(({ path }) => path.join('.')))].filter((field) => field !== '');
  return fields.length === 0 ? '' : ` Check ${fields.slice(0, 5).join(', ')}.`;
}

type Refusal = { readonly when: (request: ReplayRequest) => boolean; readonly message: string };

const refusals: readonly Refusal[] = [
  {
    when: (request) => request.eventIds !== undefined && isNarrowed(request),
    message: '"eventIds" says which events: leave "eventType", "reason", "receivedFrom" and "receivedTo" out.',
  },
  {
    when: ({ events, reason }) => events === 'all' && reason !== undefined,
    message: 'An event that had its effect has no "reason": leave it out, or leave "events" out.',
  },
  {
    // Events arrive all the time: without this bound, no count would be exact until the replay.
    when: ({ events, eventIds, receivedTo }) => events === 'all' && eventIds === undefined && receivedTo === undefined,
    message: 'Of all events, say up to when with "receivedTo": a moment that is some minutes ago.',
  },
  {
    when: ({ receivedFrom, receivedTo }) =>
      receivedFrom !== undefined && receivedTo !== undefined && receivedFrom > receivedTo,
    message: '"receivedFrom" is later than "receivedTo": exchange them.',
  },
  {
    when: (request) => request.mode === 'replay' && request.eventIds === undefined && !isNarrowed(request),
    message:
      'Say which events to replay. For all in quarantine: count with {}, then invoke it with the request that the count answers as "replay".',
  },
  {
    when: ({ mode, eventIds, expected }) => mode === 'replay' && eventIds === undefined && expected === undefined,
    message: 'Count first, with "mode": "count"; then replay with the "count" that it answers as "expected".',
  },
];

function isNarrowed({ eventType, reason, receivedFrom, receivedTo }: ReplayRequest): boolean {
  return [eventType, reason, receivedFrom, receivedTo].some((criterion) => criterion !== undefined);
}
