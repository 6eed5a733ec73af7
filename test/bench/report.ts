import { type Measure, maxBundleRatio, maxRequests, measures } from './measures.ts';
import { type Compared, compared, ours, type Peer, reference } from './peers.ts';
import type { Sample } from './run-sample.ts';
import { ratiosOf, spreadOf } from './statistics.ts';
import type { CountedCalls } from './stub-server.ts';

/** What ten records of a batch ask of AWS, by what they are. */
export type RequestCounts = Readonly<Record<string, CountedCalls>>;

export type PeerResult = { readonly peer: Peer; readonly samples: readonly Sample[] };

export type BenchResult = {
  readonly rounds: number;
  readonly empty: readonly Sample[];
  readonly peers: Readonly<Record<Compared, readonly PeerResult[]>>;
  /** By function, peer and content. */
  readonly requests: readonly { readonly of: Compared; readonly peer: string; readonly counts: RequestCounts }[];
};

/** A target, and whether this run has met it. */
export type Verdict = {
  readonly what: string;
  readonly value: number;
  readonly target: number;
  readonly isMet: boolean;
  /** Why the target cannot be met, and where that is shown. Undefined where it can. */
  readonly why?: string;
};

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
/** A table in Markdown. */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const figures = ({ of }: Measure, samples: readonly Sample[], empty: readonly Sample[]) =>
  samples.map((sample, round) => of(sample, empty[round] ?? sample));

function resultOf(result: BenchResult, of: Compared, name: string): PeerResult {
  const found = result.peers[of].find(({ peer }) => peer.name === name);
  if (found === undefined) throw new RangeError(`${name} was not measured for ${of}.`);
  return found;
}

/** The ratio of Drawbridge to the reference in each round. */
export function ratiosToReference(result: BenchResult, of: Compared, measure: Measure): readonly number[] {
  const [own, other] = [ours, reference].map((name) =>
    figures(measure, resultOf(result, of, name).samples, result.empty),
  );
  return ratiosOf(own ?? [], other ?? []);
}

export function verdict(what: string, value: number, target: number, why?: string): Verdict {
  return { what, value, target, isMet: value <= target, ...(why !== undefined && { why }) };
}

/**
 * What `--check` says of a target that is missed.
 *
 * @param load the highest load average of the run, for each processor
 */
export function formatMissed({ what, value, target, why }: Verdict, load: number): string {
  const isBusy = load > 1;
  const cause =
    why ?? (isBusy ? `The machine is busy: ${load.toFixed(1)} for each processor. Run it again.` : regression);
  return `missed: ${what} is ${value.toFixed(2)}, and the target is ${target.toFixed(2)}. ${cause}`;
}

const regression = 'docs/performance.md met it: look for the change that made the difference, with --part profiles.';

/** Compares the run with the targets. */
export function judge(result: BenchResult): readonly Verdict[] {
  const ratios = compared.flatMap((of) =>
    measures[of].flatMap((measure) => {
      const { name, target, why } = measure;
      if (target === undefined) return [];
      return [verdict(`${of}: ${name}`, spreadOf(ratiosToReference(result, of, measure)).median, target, why)];
    }),
  );
  const bundles = compared.map((of) => {
    const [own, other] = [ours, reference].map((name) => resultOf(result, of, name).peer.bytes);
    return verdict(`${of}: bytes of the bundle`, (own ?? 0) / (other ?? 1), maxBundleRatio);
  });
  const counts = result.requests.find(({ of, peer }) => of === 'store' && peer === ours)?.counts ?? {};
  const requests = Object.entries(maxRequests).map(([content, most]) =>
    verdict(`store: requests for ten records, ${content}`, totalOf(counts[content]), most),
  );
  return [...ratios, ...bundles, ...requests];
}

function totalOf(counted: CountedCalls | undefined): number {
  return Object.values(counted?.requests ?? {}).reduce((sum, count) => sum + count, 0);
}

/** The tables of a run, in Markdown. */
export function formatResult(result: BenchResult): string {
  const parts = compared.flatMap((of) => [`### ${of}`, formatTimes(result, of), formatRequests(result, of)]);
  return [...parts, '### Targets', formatVerdicts('Ratio to the reference, or requests', judge(result))].join('\n\n');
}

/** @param what the head of the first column */
export function formatVerdicts(what: string, verdicts: readonly Verdict[]): string {
  const rows = verdicts.map((one) => [
    one.what,
    formatFigure(one.value),
    formatFigure(one.target),
    one.isMet ? 'yes' : '**no**',
  ]);
  return table([what, 'Measured', 'Target', 'Met'], rows);
}

function formatTimes(result: BenchResult, of: Compared): string {
  const peers = result.peers[of];
  const rows = measures[of].map((measure) => [
    `${measure.name} (${measure.unit})`,
    ...peers.map(({ samples }) => formatSpread(figures(measure, samples, result.empty))),
    formatSpread(ratiosToReference(result, of, measure)),
  ]);
  const bytes = peers.map(({ peer }) => `${(peer.bytes / 1_000).toFixed(0)}`);
  const [own, other] = [ours, reference].map((name) => resultOf(result, of, name).peer.bytes);
  return table(
    ['', ...peers.map(({ peer }) => peer.name), `${ours} ÷ ${reference}`],
    [...rows, ['bundle (KB)', ...bytes, formatFigure((own ?? 0) / (other ?? 1))]],
  );
}

function formatRequests(result: BenchResult, of: Compared): string {
  const rows = result.requests
    .filter((one) => one.of === of)
    .flatMap(({ peer, counts }) =>
      Object.entries(counts).map(([content, counted]) => [
        peer,
        content,
        totalOf(counted),
        Object.entries(counted.requests)
          .map(([name, count]) => `${count} ${name}`)
          .join(', '),
        counted.writeUnits,
        counted.readUnits,
      ]),
    );
  return table(['', 'Counted on the wire', 'Requests', 'Of which', 'Write units', 'Read units'], rows);
}

/** The median, the lowest and the highest; one figure where there is but one. */
export function formatSpread(values: readonly number[]): string {
  const { median, low, high } = spreadOf(values);
  if (values.length === 1) return formatFigure(median);
  return `${formatFigure(median)} (${formatFigure(low)}–${formatFigure(high)})`;
}

export function formatFigure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
