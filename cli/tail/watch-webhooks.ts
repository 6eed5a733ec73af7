import type { CommandDeps } from '#cli/command/command-deps.ts';
import { ApiError } from '#cli/deployment/api-client.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { readList } from '#cli/deployment/read-list.ts';
import { eventListAnswer } from '#shared/api/query-answers.ts';
import type { TailLine } from './tail-line.ts';

export type WatchWebhooksDeps = Pick<CommandDeps, 'wait'> & { readonly note: (text: string) => void };

/** In milliseconds: between two reads of the list, which cost read units on AWS. */
const intervals = { laptop: 1_000, aws: 10_000 };

/** The webhooks of one read: a page of the list. */
const maxPerRead = 200;

/** Lists the latest webhooks again and again. Needs the setting listEvents; without it, bus events alone remain. */
export function createWatchWebhooks(
  { api, isLaptop }: Pick<Deployment, 'api' | 'isLaptop'>,
  { wait, note }: WatchWebhooksDeps,
) {
  const readLatest = () =>
    readList(api, { path: '/events', page: eventListAnswer, limit: maxPerRead }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 409) return undefined;
      throw error;
    });

  return async (onLines: (lines: readonly TailLine[]) => Promise<void>, stop: AbortSignal): Promise<void> => {
    let known: ReadonlySet<string> | undefined;
    while (!stop.aborted) {
      const latest = await readLatest();
      if (latest === undefined) return note('Webhooks are not listed: that needs the setting listEvents.');
      const before = known;
      // What was there before this command is not printed.
      const fresh = before === undefined ? [] : latest.items.filter(({ eventId }) => !before.has(eventId));
      if (fresh.length === maxPerRead)
        note(`More than ${maxPerRead} webhooks came since the last read: the oldest of them are not printed.`);
      await onLines(
        fresh.toReversed().map(({ eventId, eventType, receivedOn, quarantineReason }) => ({
          source: 'webhook',
          time: receivedOn,
          type: eventType,
          eventId,
          about: undefined,
          status: quarantineReason,
        })),
      );
      known = new Set(latest.items.map(({ eventId }) => eventId));
      await wait(isLaptop ? intervals.laptop : intervals.aws, stop);
    }
  };
}
