import { writeTable } from '#docs/generate/write-table.ts';
import type { PeersBench } from './measure-peers.ts';

/**
 * The medians of each peer, with the lowest and the highest. The ratio of Drawbridge to a peer is that of the same round, because a
 * busy moment of the machine slows down both.
 */
export function formatPeers({ peers, rows }: PeersBench): string {
  const [ours, ...others] = peers;
  const cells = ({ name, values }: PeersBench['rows'][number]) => {
    const [own = [], ...rest] = values;
    const ratios = rest.map((other) => own.map((value, round) => value / (other[round] ?? Number.NaN)));
    return [name, ...[...values, ...ratios].map(formatSpread)];
  };
  const bytes = peers.map((peer) => peer.bytes);
  const bundles = ['bundle (KB)', ...bytes.map((one) => (one / 1_000).toFixed(0))];
  const bundleRatios = others.map((other) => formatFigure((ours?.bytes ?? 0) / other.bytes));
  const head = ['', ...peers.map(({ name }) => name), ...others.map(({ name }) => `Drawbridge ÷ ${name}`)];
  return writeTable(head, [...rows.map(cells), [...bundles, ...bundleRatios]]);
}

/** The median, the lowest and the highest; one figure if all are the same. */
function formatSpread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (place: number) => sorted[Math.floor(place)] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  const median = formatFigure((at(middle) + at(middle + 0.5)) / 2);
  const [low, high] = [formatFigure(at(0)), formatFigure(at(sorted.length - 1))];
  return low === high ? median : `${median} (${low}–${high})`;
}

function formatFigure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
