import { openBusSession } from '#cli/bus-session/open-bus-session.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { mergeLines, ofBusEvent, type TailLine } from './tail-line.ts';
import { createWatchWebhooks } from './watch-webhooks.ts';

export type WatchTailProps = {
  readonly deployment: Deployment;
  /** Which command watches: part of the names of its rule and its queue. */
  readonly command: 'tail' | 'console';
  /** The event types to list; all if undefined. */
  readonly webhookTypes: readonly string[] | undefined;
  readonly onLines: (lines: readonly TailLine[]) => Promise<void>;
  /** Called once all that comes from then on is handed over. */
  readonly onWatching: () => void;
  /** Whether webhooks are tried again while the API does not answer. Without it, that is an error. */
  readonly isPatient?: boolean;
  readonly stop: AbortSignal;
};

export type WatchTailDeps = Pick<CommandDeps, 'newId' | 'wait'> & { readonly note: (text: string) => void };

/**
 * Hands over webhooks and bus events as they come, until the signal aborts. A rule and a queue exist meanwhile. On the laptop, a bus
 * event waits for the next read of webhooks, a second later, so that its webhook comes first. A read on AWS costs more, and is
 * rarer: there, bus events do not wait.
 *
 * @throws {CommandError}
 */
export async function watchTail(
  { deployment, command, webhookTypes, onLines, onWatching, isPatient = false, stop: stopped }: WatchTailProps,
  { newId, ...deps }: WatchTailDeps,
): Promise<void> {
  const ended = new AbortController();
  const stop = AbortSignal.any([stopped, ended.signal]);
  const session = await openBusSession({ deployment, command, sessionId: newId() });
  try {
    let busEvents = 0;
    const waiting: TailLine[] = [];
    /** How many of those that wait came before the read that is under way. */
    let due = 0;
    let isHolding = deployment.isLaptop;
    const watchBus = async () => {
      while (!stop.aborted) {
        const lines = (await session.receive(stop)).map(ofBusEvent);
        busEvents += lines.length;
        if (isHolding) waiting.push(...lines);
        else await onLines(lines);
      }
    };
    const hasBusEvent = () => {
      const has = busEvents > 0;
      busEvents = 0;
      due = waiting.length;
      return has;
    };
    const onWebhooks = (lines: readonly TailLine[]) => onLines(mergeLines(lines, waiting.splice(0, due)));
    const watchWebhooks = createWatchWebhooks(deployment, webhookTypes, { ...deps, hasBusEvent, isPatient });
    const watchList = async () => {
      await watchWebhooks(onWebhooks, stop, onWatching);
      isHolding = false;
      await onLines(waiting.splice(0));
    };
    await Promise.all([watchBus(), watchList()]).finally(() => ended.abort());
  } finally {
    await session.close();
  }
}
