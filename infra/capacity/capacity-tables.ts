import { type CapacityReport, rates, type SimulatedCase } from './capacity-report.ts';
import { exceededLimits, type Limit } from './limits.ts';

type Rows = readonly (readonly string[])[];

/** A table: its head, then its rows. Cells are Markdown. */
export type CapacityTable = { readonly head: readonly string[]; readonly rows: Rows };

const whole = (value: number) => Math.ceil(value).toLocaleString('en-US');

const clock = (seconds: number) => (seconds < 120 ? `${whole(seconds)} s` : `${whole(seconds / 60)} min`);

/** What each rate needs of each limit. Needs above the limit are marked. */
export function limitsTable(limits: readonly Limit[]): CapacityTable {
  const cell = ({ need, has }: Limit, rate: number) =>
    need(rate) > has ? `**${whole(need(rate))}**` : whole(need(rate));
  return {
    head: ['Limit', 'There is', ...rates.map((rate) => `${whole(rate)} webhooks a second`)],
    rows: limits.map((limit) => [limit.name, whole(limit.has), ...rates.map((rate) => cell(limit, rate))]),
  };
}

/** What gives first at each rate, and what to raise. */
export function exceededTable(limits: readonly Limit[]): CapacityTable {
  return {
    head: ['Webhooks a second', 'What gives, first to last', 'Then', 'Raise'],
    rows: rates.flatMap((rate) => {
      const exceeded = exceededLimits(limits, rate);
      if (exceeded.length === 0) return [[whole(rate), 'nothing', '', '']];
      return exceeded.map(({ name, above, raise }, index) => [index === 0 ? whole(rate) : '', name, above, raise]);
    }),
  };
}

/** How each case of the burst ends. */
export function burstTable({ cases, usdPerWebhook }: CapacityReport): CapacityTable {
  return {
    head: [
      'Case',
      'Answered 200',
      '429',
      '503',
      'Most in the queue',
      'Oldest message',
      'Queue empty after',
      'All stored after',
      'US dollars',
    ],
    rows: cases.map((one) => burstRow(one, usdPerWebhook)),
  };
}

function burstRow({ name, seconds }: SimulatedCase, usdPerWebhook: number): readonly string[] {
  const last = seconds.at(-1);
  const empty = seconds.find(
    ({ queued, delivered, accepted, throttled, unavailable }) =>
      queued === 0 && delivered > 0 && delivered === last?.delivered && accepted + throttled + unavailable >= delivered,
  );
  return [
    name,
    whole(last?.accepted ?? 0),
    whole(last?.throttled ?? 0),
    whole(last?.unavailable ?? 0),
    whole(Math.max(...seconds.map(({ queued }) => queued))),
    clock(Math.max(...seconds.map(({ oldestSeconds }) => oldestSeconds))),
    clock(empty?.second ?? 0),
    clock(last?.second ?? 0),
    ((last?.delivered ?? 0) * usdPerWebhook).toFixed(2),
  ];
}

/** How evenly a million keys spread. */
export function spreadTable({ spreads }: CapacityReport): CapacityTable {
  const percent = (share: number) => `${((share - 1) * 100).toFixed(1)} %`;
  return {
    head: ['Partitions', 'Most, against the mean', 'Fewest, against the mean', 'Most writes in one second'],
    rows: spreads.map(({ partitions, most, fewest, mostInOneSecond }) => [
      String(partitions),
      `+${percent(most)}`,
      percent(fewest),
      whole(mostInOneSecond),
    ]),
  };
}

/** How long a million persons take to be read back. */
export function personsTable({ persons }: CapacityReport): CapacityTable {
  return {
    head: ['`reconciliation.callsPerSecond`', 'Persons in a run', 'Runs', 'Hours'],
    rows: persons.map(({ callsPerSecond, day }) => [
      whole(callsPerSecond),
      whole(day.byCall + day.byPage),
      whole(day.runs),
      whole(day.hours),
    ]),
  };
}
