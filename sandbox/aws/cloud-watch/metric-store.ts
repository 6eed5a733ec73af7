/** What a series of values is called: two metrics of one name differ by their dimensions. */
export type MetricId = {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
};

/** The metrics of AWS that the laptop measures. An alarm on another one has no data here. */
const measuredMetrics: Readonly<Record<string, readonly string[]>> = {
  'AWS/Lambda': ['Invocations', 'Errors', 'Duration', 'RecursiveInvocationsDropped'],
  'AWS/ApiGateway': ['Count', '4xx', '5xx'],
  'AWS/SQS': [
    'ApproximateNumberOfMessagesVisible',
    'ApproximateNumberOfMessagesNotVisible',
    'ApproximateAgeOfOldestMessage',
  ],
};

/** Whether the laptop has the values of a metric. Functions write those outside of `AWS/`. */
export function isMeasured({ namespace, name }: Pick<MetricId, 'namespace' | 'name'>): boolean {
  return !namespace.startsWith('AWS/') || measuredMetrics[namespace]?.includes(name) === true;
}

/** `p99` and the like are percentiles. */
export type Statistic = 'Sum' | 'Average' | 'Minimum' | 'Maximum' | 'SampleCount' | `p${number}`;

/** Periods of a metric, counted from `from`: half open, in milliseconds since 1970. */
export type Window = { readonly from: number; readonly to: number; readonly period: number };

/** The value of one period. Periods without a value are left out. */
export type Datapoint = { readonly at: number; readonly value: number };

export type MetricStore = {
  /** @param at in milliseconds since 1970 */
  readonly add: (id: MetricId, value: number, at: number) => void;
  /** The newest period last. */
  readonly read: (id: MetricId, statistic: Statistic, window: Window) => readonly Datapoint[];
  readonly ids: () => readonly MetricId[];
  /** Forgets all values, except those of the metrics with these names. */
  readonly clear: (except: readonly string[]) => void;
};

type Minute = { readonly at: number; readonly values: number[] };

const minute = 60_000;

/** In milliseconds: values older than this, counted from the newest one of the metric, are forgotten. A day and an hour. */
const keptFor = 1_500 * minute;

/** Values that are kept of a minute. A busier minute keeps the first ones, and shows a lower sum than it had. */
const maxValues = 10_000;

/** Keeps the values of all metrics in memory, by the minute, as CloudWatch does. */
export function createMetricStore(): MetricStore {
  const series = new Map<string, { readonly id: MetricId; readonly minutes: Minute[] }>();

  return {
    add: (id, value, at) => {
      const key = keyOf(id);
      const { minutes } = series.get(key) ?? { minutes: [] };
      if (!series.has(key)) series.set(key, { id, minutes });
      const start = Math.floor(at / minute) * minute;
      const known = minutes.findLast((one) => one.at === start);
      if (known === undefined) insert(minutes, { at: start, values: [value] });
      else if (known.values.length < maxValues) known.values.push(value);
    },
    read: (id, statistic, { from, to, period }) => {
      const within = (series.get(keyOf(id))?.minutes ?? []).filter(({ at }) => at >= from && at < to);
      const byPeriod = Map.groupBy(within, ({ at }) => from + Math.floor((at - from) / period) * period);
      return [...byPeriod].map(([at, some]) => ({
        at,
        value: compute(
          statistic,
          some.flatMap(({ values }) => values),
        ),
      }));
    },
    ids: () => [...series.values()].map(({ id }) => id),
    clear: (except) => {
      for (const [key, { id }] of series) if (!except.includes(id.name)) series.delete(key);
    },
  };
}

function keyOf({ namespace, name, dimensions }: MetricId): string {
  const sorted = Object.entries(dimensions).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([namespace, name, sorted]);
}

/** Values can come late, and the clock of the laptop can be set back. */
function insert(minutes: Minute[], added: Minute): void {
  const index = minutes.findLastIndex(({ at }) => at < added.at) + 1;
  minutes.splice(index, 0, added);
  const newest = minutes.at(-1)?.at ?? added.at;
  minutes.splice(
    0,
    minutes.findIndex(({ at }) => at > newest - keptFor),
  );
}

/** @param values at least one */
function compute(statistic: Statistic, values: readonly number[]): number {
  const sum = values.reduce((one, other) => one + other, 0);
  switch (statistic) {
    case 'Sum':
      return sum;
    case 'Average':
      return sum / values.length;
    case 'Minimum':
      return values.reduce((one, other) => Math.min(one, other));
    case 'Maximum':
      return values.reduce((one, other) => Math.max(one, other));
    case 'SampleCount':
      return values.length;
    default: {
      const sorted = values.toSorted((one, other) => one - other);
      const rank = Math.ceil((Number(statistic.slice(1)) / 100) * sorted.length);
      return sorted[Math.max(0, rank - 1)] ?? sum;
    }
  }
}
