import { type AssessedOverview, assessOverview } from '#cli/console/overview/assess-overview.ts';
import type { Overview } from '#cli/console/overview/read-overview.ts';

/** One moment of the plots. */
export type Sample = {
  /** Milliseconds since 1970, by the clock of the deployment. */
  readonly at: number;
  /** Messages that wait or are worked on, of the queues of webhooks and of onboardings. */
  readonly webhooks: number;
  readonly onboardings: number;
  readonly deadLetters: number;
  readonly quarantined: number;
};

/** The overview now, what it means, and the samples since someone looked. */
export type SampledOverview = Overview & AssessedOverview & { readonly samples: readonly Sample[] };

export type OverviewSampler = {
  /** @returns what ends this */
  readonly subscribe: (listener: (overview: SampledOverview) => void) => () => void;
  /** Reads now. */
  readonly read: () => Promise<SampledOverview>;
  readonly close: () => void;
};

export type OverviewSamplerDeps = {
  readonly read: () => Promise<Overview>;
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** In milliseconds: between two reads, which cost requests on AWS. */
  readonly interval: number;
};

/** In milliseconds: what the plots show. */
const kept = 60 * 60_000;

/** Reads the overview again and again while a window listens. */
export function createOverviewSampler({ read, wait, interval }: OverviewSamplerDeps): OverviewSampler {
  let samples: readonly Sample[] = [];
  const listeners = new Set<(overview: SampledOverview) => void>();
  let running: AbortController | undefined;

  async function sample(): Promise<SampledOverview> {
    const overview = await read();
    const taken = sampleOf(overview);
    samples = [...samples.filter(({ at }) => at > taken.at - kept && at < taken.at), taken];
    return { ...overview, ...assessOverview(overview), samples };
  }

  async function run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const overview = await sample().catch(() => undefined);
      if (overview !== undefined) for (const listener of listeners) listener(overview);
      await wait(interval, stop);
    }
  }

  function stopRunning(): void {
    running?.abort();
    running = undefined;
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      if (running === undefined) {
        running = new AbortController();
        run(running.signal).catch(() => undefined);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopRunning();
      };
    },
    read: sample,
    close: stopRunning,
  };
}

function sampleOf({ now, queues, quarantined = 0 }: Overview): Sample {
  const held = (names: readonly string[]) =>
    queues
      .filter(({ name }) => names.includes(name))
      .reduce((sum, { waiting, inFlight, delayed }) => sum + waiting + inFlight + delayed, 0);
  return {
    at: Date.parse(now),
    webhooks: held(['Webhooks']),
    onboardings: held(['Onboarding']),
    deadLetters: held(['WebhooksDlq', 'OnboardingDlq', 'TokenRefreshesDlq', 'MissedRuns']),
    quarantined,
  };
}
