import { type Assumptions, assumptions } from './assumptions.ts';
import { type Cost, costOf } from './cost-lines.ts';
import type { CountedUsage, KeptLists } from './counted-usage.ts';
import type { Region } from './price-list.ts';
import { quantitiesOf } from './quantities.ts';
import type { Deployment } from './read-deployment.ts';

/** Webhooks a month, from an idle environment to 38 a second. */
export const volumes = [0, 10_000, 1_000_000, 100_000_000] as const;

export type CostTableProps = {
  readonly deployment: Deployment;
  readonly usage: CountedUsage;
  readonly eventRetentionDays: number;
  /** The time indexes that the environment keeps; none unless given. */
  readonly lists?: KeptLists;
  readonly region: Region;
  /** Webhooks a month, one for each column. */
  readonly volumes: readonly number[];
  /** Entities in the table, the same for each column; by the volume unless given. */
  readonly entities?: number | undefined;
  readonly assumptions?: Assumptions;
};

export type CostColumn = Cost & { readonly webhooks: number };

/** The cost of each volume. */
export function costColumns({ region, volumes: columns, ...props }: CostTableProps): readonly CostColumn[] {
  return columns.map((webhooks) => {
    const quantities = quantitiesOf({ assumptions, ...props, webhooks });
    return { webhooks, ...costOf(quantities, region) };
  });
}

/** What each time index adds to the cost of each volume: a row for each setting. */
export function listCostRows(props: CostTableProps): readonly (readonly string[])[] {
  const none = costColumns(props);
  const row = (setting: string, lists: KeptLists) => [
    setting,
    ...costColumns({ ...props, lists }).map(({ usd }, column) => formatUsd(usd - (none[column]?.usd ?? 0))),
  ];
  return [
    row('`listEvents`', { events: true, entities: false }),
    row('`listEntities`', { events: false, entities: true }),
  ];
}

/** The share of a cost from which a cell shows it. */
const shownShare = 0.1;

/** A row for each line that costs something, the dearest of the last volume first, and the total. Marks large shares. */
export function costRows(columns: readonly Cost[]): readonly (readonly string[])[] {
  const last = columns.at(-1)?.lines ?? [];
  const shown = last
    .map((line, index) => ({ name: line.name, usd: line.usd, cells: columns.map(({ lines }) => lines[index]) }))
    .filter(({ cells }) => cells.some((cell) => cell !== undefined && cell.usd > 0))
    .toSorted((one, other) => other.usd - one.usd);
  return [
    ...shown.map(({ name, cells }) => [name, ...cells.map((cell) => formatCell(cell?.usd ?? 0, cell?.share ?? 0))]),
    ['Total', ...columns.map(({ usd }) => formatUsd(usd))],
  ];
}

export function volumeName(webhooks: number): string {
  return webhooks === 0 ? 'idle' : webhooks.toLocaleString('en-US');
}

export function formatUsd(usd: number): string {
  if (usd > 0 && usd < 0.005) return 'below 0.01';
  return usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function formatCell(usd: number, share: number): string {
  return share < shownShare ? formatUsd(usd) : `${formatUsd(usd)} (${Math.round(share * 100)} %)`;
}
