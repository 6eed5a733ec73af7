import { openBusSession } from '#cli/bus-session/open-bus-session.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { ofBusEvent, type TailLine } from './tail-line.ts';
import { createWatchWebhooks } from './watch-webhooks.ts';

export type WatchTailProps = {
  readonly deployment: Deployment;
  /** Which command watches: part of the names of its rule and its queue. */
  readonly command: 'tail' | 'console';
  /** The event types to list; all where undefined. */
  readonly webhookTypes: readonly string[] | undefined;
  readonly onLines: (lines: readonly TailLine[]) => Promise<void>;
  /** Called once all that comes from then on is handed over. */
  readonly onWatching: () => void;
  readonly stop: AbortSignal;
};

export type WatchTailDeps = Pick<CommandDeps, 'newId' | 'wait'> & { readonly note: (text: string) => void };

/**
 * Hands over webhooks and bus events as they come, until the signal aborts. A rule and a queue exist meanwhile.
 *
 * @throws {CommandError}
 */
export async function watchTail(
  { deployment, command, webhookTypes, onLines, onWatching, stop: stopped }: WatchTailProps,
  { newId, ...deps }: WatchTailDeps,
): Promise<void> {
  const ended = new AbortController();
  const stop = AbortSignal.any([stopped, ended.signal]);
  const session = await openBusSession({ deployment, command, sessionId: newId() });
  try {
    let busEvents = 0;
    const watchBus = async () => {
      while (!stop.aborted) {
        const events = await session.receive(stop);
        busEvents += events.length;
        await onLines(events.map(ofBusEvent));
      }
    };
    const hasBusEvent = () => {
      const has = busEvents > 0;
      busEvents = 0;
      return has;
    };
    const watchWebhooks = createWatchWebhooks(deployment, webhookTypes, { ...deps, hasBusEvent });
    await Promise.all([watchBus(), watchWebhooks(onLines, stop, onWatching)]).finally(() => ended.abort());
  } finally {
    await session.close();
  }
}
