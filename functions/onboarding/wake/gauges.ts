import type { ListEvents } from '#shared/events/event-list.ts';
import type { EventScan } from '#shared/events/scan-events.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { MeasureName, Metrics } from '#shared/lambda/metrics.ts';
import type { ListErasures, ListOnboardings } from '#shared/onboarding/onboarding-store.ts';

type GaugesDeps = {
  readonly listQuarantined: ListEvents;
  readonly listOnboardings: ListOnboardings;
  readonly listErasures: ListErasures;
  /** Events in quarantine, the oldest of each lane first. */
  readonly quarantine: EventScan;
  /** How many settings have a stand-in for what only the operator of the platform knows. */
  readonly standIns: number;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'measure'>;
};

/**
 * The maximum of a gauge: this value means this many or more. The ages then cover the listed rows only: the rows that changed
 * last, except for erasures, of which the oldest are listed.
 */
const most = 1_000;

/** In milliseconds: an event in quarantine is counted this long before its deletion. */
const warningMs = 7 * 86_400_000;

/** The most erasures that one run names. */
const mostNamed = 10;

/**
 * Publishes how many events are in quarantine, how many of them are deleted within a week, how many onboardings are stopped or stalled,
 * how many erasures are unfinished, and since when. Reads the indexes that hold these only.
 *
 * @throws if one list cannot be read: then no gauge is published, so that one alarm on missing values is enough
 */
export function createGauges(deps: GaugesDeps): () => Promise<void> {
  const { listQuarantined, quarantine, listOnboardings, listErasures, standIns, now, log, metrics } = deps;

  return async () => {
    const page = { limit: most, after: undefined };
    const [quarantined, old, stopped, stalled, erasures] = await Promise.all([
      listQuarantined({ filter: {}, ...page }),
      Promise.all(Array.from({ length: quarantine.lanes }, (_, lane) => quarantine.readPage(lane, undefined))),
      listOnboardings({ filter: { step: 'STOPPED' }, ...page }),
      listOnboardings({ filter: { isStalled: true }, ...page }),
      listErasures(most),
    ]);
    publish(['EventsNowQuarantined', 'OldestQuarantinedAge'], quarantined.rows, ({ receivedOn }) => receivedOn);
    const warned = now().getTime() + warningMs;
    const expiring = old.flatMap(({ events }) => events.filter(({ expiresOn }) => Date.parse(expiresOn) <= warned));
    metrics.measure('QuarantinedExpiring', expiring.length);
    publish(['OnboardingsNowStopped', 'OldestStoppedAge'], stopped.rows, ({ state }) => state.since);
    publish(['OnboardingsNowStalled', 'OldestStalledAge'], stalled.rows, ({ state }) => state.stalledOn ?? state.since);
    publish(['ErasuresUnfinished', 'OldestErasureAge'], erasures, ({ erasingOn }) => erasingOn);
    metrics.measure('StandInsUsed', standIns);
    for (const { onboardingId } of erasures.slice(0, mostNamed)) log.info('erasure unfinished', { onboardingId });
  };

  function publish<Row>(
    [count, age]: readonly [MeasureName, MeasureName],
    rows: readonly Row[],
    sinceOf: (row: Row) => string,
  ): void {
    const time = now().getTime();
    metrics.measure(count, rows.length);
    metrics.measure(age, Math.max(0, ...rows.map((row) => time - Date.parse(sinceOf(row)))) / 1_000);
  }
}
