import type { Compared } from './peers.ts';
import { batchSizes, phaseName, storeContents } from './plans.ts';
import type { Sample } from './run-sample.ts';

/** A figure of a sample. */
export type Measure = {
  readonly name: string;
  readonly unit: 'ms';
  /** @param empty the sample of the empty handler in the same round */
  readonly of: (sample: Sample, empty: Sample) => number;
  /** The highest ratio to the reference that is wanted. */
  readonly target?: number;
  /** Why the target cannot be met, and where that is shown. Undefined where it can. */
  readonly why?: string;
};

const missing = { wall: Number.NaN, cpu: Number.NaN };

const cold = (load: number | undefined, first: number | undefined, both: number | undefined): readonly Measure[] => [
  measure('load, above an empty handler', load, ({ load: own }, { load: none }) => own.wall - none.wall),
  measure('first call, above an empty handler', first, (own, none) => own.first.wall - none.first.wall),
  measure(
    'load and first call, above an empty handler',
    both,
    (own, none) => own.load.wall + own.first.wall - none.load.wall - none.first.wall,
  ),
];

function measure(name: string, target: number | undefined, of: Measure['of'], why?: string): Measure {
  return { name, unit: 'ms', of, ...(target !== undefined && { target }), ...(why !== undefined && { why }) };
}

const warm = (name: string, phase: string, calls: number, target: number, why?: string): readonly Measure[] => [
  measure(`${name}: warm CPU`, target, ({ warm: phases }) => (phases[phase] ?? missing).cpu / calls, why),
  measure(`${name}: warm, on the clock`, undefined, ({ warm: phases }) => (phases[phase] ?? missing).wall / calls),
];

const whyOfDuplicates =
  'A duplicate takes store three requests, and the reference two: see docs/performance.md#a-duplicate-in-store.';

/** What is measured of each function, in the order of the tables. */
export const measures: Readonly<Record<Compared, readonly Measure[]>> = {
  receive: [...cold(undefined, 0.25, 0.45), ...warm('a webhook', 'webhook', 1, 0.65)],
  store: [
    ...cold(undefined, undefined, 0.6),
    ...batchSizes.flatMap((size) =>
      storeContents.flatMap((content) =>
        warm(
          `a record, ${phaseName(content, size)}`,
          phaseName(content, size),
          size,
          0.45,
          content === 'duplicate' ? whyOfDuplicates : undefined,
        ),
      ),
    ),
  ],
};

/** The largest ratio of the size of a bundle to that of the reference. */
export const maxBundleRatio = 0.35;

/** The highest number of requests for ten records. */
export const maxRequests = { fresh: 23, duplicate: 14 } as const;
