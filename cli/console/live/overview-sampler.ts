import { type AssessedOverview, assessOverview } from '#cli/console/overview/assess-overview.ts';
import type { Overview } from '#cli/console/overview/read-overview.ts';

/** The overview now, and what it means. */
export type SampledOverview = Overview & AssessedOverview;

export type OverviewSampler = {
  /** Hands over the latest overview, then each new one. @returns what ends this */
  readonly subscribe: (listener: (overview: SampledOverview) => void) => () => void;
  /** The latest overview while a window listens; otherwise reads now. */
  readonly read: () => Promise<SampledOverview>;
  readonly close: () => void;
};

export type OverviewSamplerDeps = {
  readonly read: () => Promise<Overview>;
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** In milliseconds: between two reads, which cost requests on AWS. */
  readonly interval: number;
};

/** In milliseconds: a window that has just opened reads its page, which on a laptop shares the processor with all functions. */
const pageTime = 500;

/** Reads the overview again and again while a window listens: once for all windows. */
export function createOverviewSampler({ read, wait, interval }: OverviewSamplerDeps): OverviewSampler {
  const listeners = new Set<(overview: SampledOverview) => void>();
  let running: AbortController | undefined;
  let latest: SampledOverview | undefined;
  let sampling: Promise<SampledOverview> | undefined;

  async function readNow(): Promise<SampledOverview> {
    const overview = await read();
    const sampled = { ...overview, ...assessOverview(overview) };
    if (running !== undefined) {
      latest = sampled;
      for (const listener of listeners) listener(sampled);
    }
    return sampled;
  }

  /** Who asks during a read gets its answer. */
  function sample(): Promise<SampledOverview> {
    sampling ??= readNow().finally(() => {
      sampling = undefined;
    });
    return sampling;
  }

  async function run(stop: AbortSignal): Promise<void> {
    await wait(pageTime, stop);
    // The page may have asked for it.
    if (latest !== undefined) await wait(interval, stop);
    while (!stop.aborted) {
      await sample().catch(() => {
        if (!stop.aborted) latest = undefined;
      });
      await wait(interval, stop);
    }
  }

  function stopRunning(): void {
    running?.abort();
    running = undefined;
    latest = undefined;
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      if (running === undefined) {
        running = new AbortController();
        run(running.signal).catch(() => undefined);
      } else if (latest !== undefined) listener(latest);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopRunning();
      };
    },
    read: async () => latest ?? sample(),
    close: stopRunning,
  };
}
