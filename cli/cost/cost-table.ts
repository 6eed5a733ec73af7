import { docsPage } from '#cli/command/docs-page.ts';
import { typedKeys } from '#cli/command/typed-keys.ts';
import { packageFolder } from '#cli/init/package-folder.ts';
import { assumptions } from './assumptions.ts';
import { type KeptLists, readCountedUsage } from './counted-usage.ts';
import { type PriceName, prices, pricesOf, type Region, trailPrice } from './price-list.ts';
import { readPricedResources } from './priced-resources.ts';
import { noUsage, type Quantities, type QuantitiesProps, quantitiesOf } from './quantities.ts';

/** Webhooks a month, from an idle environment to 38 a second. */
export const volumes = [0, 10_000, 1_000_000, 100_000_000] as const;

/** The stacks of an environment, and the settings that decide what they cost. */
export type SynthesizedEnvironment = Omit<QuantitiesProps, 'resources' | 'usage' | 'webhooks' | 'entities'> & {
  readonly name: string;
  readonly templates: readonly unknown[];
  /** The setting. */
  readonly region?: string | undefined;
};

export type CostProps = Omit<QuantitiesProps, 'webhooks'> & { readonly region: Region };

/** What one item of the price list costs in a month, in US dollars. */
export type CostLine = {
  readonly price: PriceName;
  readonly name: string;
  readonly quantity: number;
  readonly usd: number;
};

export type CostColumn = {
  readonly webhooks: number;
  readonly usd: number;
  readonly lines: readonly CostLine[];
  /** What a trail of the account adds that records data events of the tables, the queues and the functions. */
  readonly trailUsd: number;
  /** Calls of `reconcile` for single entities: those that are due, and those of them that its pace allows, which have a cost. */
  readonly dueReadBacks: number;
  readonly readBacks: number;
};

const priceNames = typedKeys(prices);

/** Each quantity by its price, for each volume of webhooks. */
export function costColumns({ region, ...props }: CostProps, webhookCounts: readonly number[]): readonly CostColumn[] {
  return webhookCounts.map((webhooks) => {
    const quantities = quantitiesOf({ ...props, webhooks });
    const lines = priceNames.map((price) => lineOf(price, quantities, region));
    const usd = lines.reduce((sum, line) => sum + line.usd, 0);
    const { dataEvents, dueReadBacks, readBacks } = quantities;
    const trailUsd = (dataEvents / trailPrice.amount) * trailPrice.usd[region];
    return { webhooks, usd, lines, trailUsd, dueReadBacks, readBacks };
  });
}

function lineOf(price: PriceName, quantities: Quantities, region: Region): CostLine {
  const { name, amount, usd } = prices[price];
  const quantity = quantities[price];
  return { price, name, quantity, usd: (quantity / amount) * usd[region] };
}

/** A row for each line that costs something, the dearest of the last volume first; the total; and what is in no total. */
export function costRows(columns: readonly CostColumn[]): readonly (readonly string[])[] {
  const dearestFirst = (columns.at(-1)?.lines ?? []).toSorted((one, other) => other.usd - one.usd);
  const usdOf = ({ lines }: CostColumn, price: PriceName) => lines.find((line) => line.price === price)?.usd ?? 0;
  const shown = dearestFirst.filter(({ price }) => columns.some((column) => usdOf(column, price) > 0));
  return [
    ...shown.map(({ price, name }) => [name, ...columns.map((column) => formatUsd(usdOf(column, price)))]),
    ['Total', ...columns.map(({ usd }) => formatUsd(usd))],
    [
      'Total, where the dashboard is free',
      ...columns.map((column) => formatUsd(column.usd - usdOf(column, 'dashboard'))),
    ],
    [`Not included: ${trailPrice.name}`, ...columns.map(({ trailUsd }) => formatUsd(trailUsd))],
  ];
}

/**
 * What a million webhooks add a month, and what they add to the functions that a partner would build: middy and Powertools with a
 * conditional write (tools/bench/peers), on the same services, with the same retention and durations. Once with AWS's defaults, and once
 * with the classes of tables and logs and the log levels of this environment, which any partner can set. These read nothing back, so that
 * `reconcile` is in neither.
 */
export function perMillionWebhooks(props: CostProps) {
  const added = (of: CostProps) => {
    const [idle, busy] = costColumns({ ...of, entities: 0 }, [0, 1_000_000]);
    return (busy?.usd ?? 0) - (idle?.usd ?? 0);
  };
  const { resources, usage } = props;
  const { webhook, peers: countedOfPeers } = usage;
  const peers = {
    ...props,
    lists: { events: false, entities: false },
    usage: { ...usage, webhook: { ...webhook, ...noUsage, ...countedOfPeers }, runs: {} },
    resources: {
      ...resources,
      schedules: [],
      archiveRetentionDays: 0,
    },
  };
  const byDefault = {
    ...peers.resources,
    functions: resources.functions.map((one) => ({ ...one, logsEachRun: true })),
    areEventsRare: false,
    isAccessLogRare: false,
  };
  return {
    usd: added(props),
    defaultPeersUsd: added({ ...peers, resources: byDefault }),
    tunedPeersUsd: added(peers),
  };
}

/** `npm run docs` writes the page in a clone. The package has it. */
const costPage = `${docsPage('docs/built/cost.md')}${packageFolder === undefined ? ' (npm run docs writes it)' : ''}`;

export type DescribeCostProps = {
  readonly environment: SynthesizedEnvironment;
  readonly region: Region;
  /** Webhooks a month; several volumes unless given. */
  readonly webhooks?: number | undefined;
  /** Entities in the table; those of a year of webhooks unless given. */
  readonly entities?: number | undefined;
  readonly isJson: boolean;
};

/** What an environment costs a month in US dollars, by volume. @throws {CliError} NOT_PRICED */
export function costOf({ environment, region, webhooks, entities }: Omit<DescribeCostProps, 'isJson'>) {
  const { name, templates, region: _, ...settings } = environment;
  const resources = readPricedResources(templates);
  const props = { ...settings, resources, usage: readCountedUsage(), region, entities };
  const columns = costColumns(props, webhooks === undefined ? volumes : [webhooks]);
  const { notPriced } = resources;
  return {
    environment: name,
    region,
    pricesOf,
    assumptions,
    columns,
    perMillionWebhooks: perMillionWebhooks(props),
    notPriced,
  };
}

/** The same as a table or as JSON. @throws {CliError} NOT_PRICED */
export function describeCost({ isJson, ...props }: DescribeCostProps): string {
  const cost = costOf(props);
  if (isJson) return JSON.stringify(cost);
  const { environment: name, region, columns, notPriced } = cost;
  const rows = [['US dollars a month', ...columns.map((column) => volumeName(column.webhooks))], ...costRows(columns)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return [
    `Environment ${name}, region ${region}, webhooks a month. Quantities are counted, prices are of ${pricesOf}.\n`,
    ...rows.map((row) => row.map(pad).join('   ')),
    `\n${describePerMillion(cost.perMillionWebhooks)}`,
    ...columns.flatMap(describeCapped),
    `Without taxes, free tiers, discounts and data transfer. ${costPage} has the prices. Assumed:`,
    ...Object.values(assumptions).map(({ value, meaning }) => `- ${value.toLocaleString('en-US')}: ${meaning}`),
    ...Object.entries(notPriced).map(([type, count]) => `Not priced: ${type} (${count}).`),
  ].join('\n');
}

export function describePerMillion(million: ReturnType<typeof perMillionWebhooks>): string {
  const { usd, defaultPeersUsd, tunedPeersUsd } = million;
  const beside = (other: number) => `${formatUsd(other)} (ratio ${(usd / other).toFixed(2)})`;
  return [
    `A million webhooks add ${formatUsd(usd)}, without what reconcile reads back.`,
    `Functions with middy and Powertools and a conditional write add ${beside(defaultPeersUsd)} with the defaults of AWS,`,
    `and ${beside(tunedPeersUsd)} with the table class, log class and log level of this environment.`,
  ].join(' ');
}

/** Where a column has less than all that is due: `reconcile` is behind at its volume. */
export function describeCapped({ webhooks, dueReadBacks, readBacks }: CostColumn): readonly string[] {
  if (readBacks === dueReadBacks) return [];
  const [asked, due] = [readBacks, dueReadBacks].map((count) => Math.round(count).toLocaleString('en-US'));
  return [
    `${volumeName(webhooks)}: includes ${asked} read-backs by reconcile, which reconciliation.callsPerSecond allows, of ${due} that are due.`,
  ];
}

/** What each time index adds to the cost of each volume: a row for each setting. */
export function listCostRows(props: CostProps): readonly (readonly string[])[] {
  const usdOf = (lists: KeptLists) => costColumns({ ...props, lists }, volumes).map(({ usd }) => usd);
  const none = usdOf({ events: false, entities: false });
  const row = (setting: string, lists: KeptLists) => [
    setting,
    ...usdOf(lists).map((usd, column) => formatUsd(usd - (none[column] ?? 0))),
  ];
  return [
    row('`listEvents`', { events: true, entities: false }),
    row('`listEntities`', { events: false, entities: true }),
  ];
}

export function volumeName(webhooks: number): string {
  return webhooks === 0 ? 'idle' : webhooks.toLocaleString('en-US');
}

export function formatUsd(usd: number): string {
  if (usd > 0 && usd < 0.005) return 'below 0.01';
  return usd.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}
