import type { CommandDeps } from '#cli/command/command-deps.ts';
import { ApiError, CommandError } from '#cli/command/command-error.ts';
import { readEvents, unlessStatus } from '#cli/deployment/api-reads.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import type { EventListAnswer } from '#shared/api/query-answers.ts';
import type { TailLine } from './tail-line.ts';

export type WatchWebhooksDeps = Pick<CommandDeps, 'wait'> & {
  readonly note: (text: string) => void;
  /** Whether the bus has carried an event since the last call. Most webhooks lead to one. */
  readonly hasBusEvent: () => boolean;
  /** Whether a read that fails without an answer is tried again. Without it, that is an error. */
  readonly isPatient?: boolean;
};

type Listed = EventListAnswer['items'][number];

/** In milliseconds, between two checks of the bus; and how many checks without a bus event lead to a read nevertheless. */
const polling = { laptop: { interval: 1_000, maxIdle: 10 }, aws: { interval: 10_000, maxIdle: 6 } };

/** In milliseconds: how long Store may take from the receipt of a webhook until the webhook is listed. */
const overlap = 60_000;

/** The webhooks of one read. */
const maxPerRead = 1_000;

/**
 * The event types among the names to print: undefined for all of them. Event types are in capitals, the detail-types of bus events
 * are not.
 */
export function webhookTypesOf(types: readonly string[]): readonly string[] | undefined {
  return types.length === 0 ? undefined : types.filter((type) => /^[A-Z][A-Z0-9_]*$/.test(type));
}

/**
 * Lists the webhooks since the last read, again and again. A read costs half a read unit for each partition of the index. So there
 * is one read a minute while the bus is silent, and no read of unwanted event types. Needs the setting listEvents; without it, only
 * bus events remain.
 *
 * @param types the event types to list; all if undefined
 */
export function createWatchWebhooks(
  { api, isLaptop }: Pick<Deployment, 'api' | 'isLaptop'>,
  types: readonly string[] | undefined,
  { wait, note, hasBusEvent, isPatient = false }: WatchWebhooksDeps,
) {
  const { interval, maxIdle } = isLaptop ? polling.laptop : polling.aws;

  /** The newest first. Undefined if the environment keeps no list. */
  async function read(receivedFrom: string | undefined, limit: number): Promise<readonly Listed[] | undefined> {
    const reads = (types ?? [undefined]).map((eventType) => readEvents(api, { eventType, receivedFrom }, limit));
    const lists = await unlessStatus([409], Promise.all(reads));
    return lists
      ?.flatMap(({ items }) => items)
      .toSorted((one, other) => other.receivedOn.localeCompare(one.receivedOn))
      .slice(0, limit);
  }

  /** @param onBegun called once every webhook that comes from then on is handed over */
  return async (
    onLines: (lines: readonly TailLine[]) => Promise<void>,
    stop: AbortSignal,
    onBegun: () => void,
  ): Promise<void> => {
    if (types?.length === 0) return onBegun();
    // What was there before this command is not printed.
    let latest = await read(undefined, 1);
    onBegun();
    let known = new Set(latest?.map(({ eventId }) => eventId));
    const begin = latest?.[0]?.receivedOn;
    let from = begin;
    let isLost = false;
    for (let idle = 0; latest !== undefined && !stop.aborted; ) {
      await wait(interval, stop);
      idle += 1;
      if (stop.aborted || (!hasBusEvent() && idle < maxIdle)) continue;
      idle = 0;
      const isReadable = await read(from, maxPerRead).then(
        (listed) => {
          latest = listed;
          return true;
        },
        (error: unknown) => {
          if (!isPatient || !isOutage(error)) throw error;
          return false;
        },
      );
      if (isLost === isReadable)
        note(isReadable ? 'The API answers again.' : 'The API does not answer: webhooks are listed once it does.');
      isLost = !isReadable;
      if (isLost) {
        await onLines([]);
        // The first read that succeeds lists what came meanwhile.
        idle = maxIdle;
        continue;
      }
      const fresh = (latest ?? []).filter(({ eventId }) => !known.has(eventId));
      if (fresh.length === maxPerRead)
        note(`More than ${maxPerRead} webhooks came since the last read: the oldest of them are not printed.`);
      await onLines(fresh.toReversed().map(describe));
      known = new Set([...known].filter((eventId) => latest?.some((one) => one.eventId === eventId)));
      for (const { eventId } of fresh) known.add(eventId);
      from = laterOf(begin, overlapBefore(latest?.[0]?.receivedOn ?? from));
    }
    if (latest === undefined) note('Webhooks are not listed: that needs the setting listEvents.');
  };
}

/** Whether a further attempt can help: it cannot if the API refuses the request. */
function isOutage(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof CommandError;
}

function describe({ eventId, eventType, receivedOn, quarantineReason }: Listed): TailLine {
  return {
    source: 'webhook',
    time: receivedOn,
    type: eventType,
    eventId,
    about: undefined,
    status: quarantineReason,
  };
}

function overlapBefore(time: string | undefined): string | undefined {
  return time === undefined ? undefined : new Date(Date.parse(time) - overlap).toISOString();
}

function laterOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}
