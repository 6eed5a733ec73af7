import { assumptionRows, assumptions } from './assumptions.ts';
import { costColumns, costRows, volumeName, volumes } from './cost-table.ts';
import { type KeptLists, readCountedUsage } from './counted-usage.ts';
import { prices, pricesOf, type Region } from './price-list.ts';
import { readDeployment } from './read-deployment.ts';

/** The stacks of an environment, and the settings that decide what they cost. */
export type SynthesizedEnvironment = {
  readonly name: string;
  readonly templates: readonly unknown[];
  readonly eventRetentionDays: number;
  readonly lists: KeptLists;
};

export type DescribeCostProps = {
  readonly environment: SynthesizedEnvironment;
  readonly region: Region;
  /** Webhooks a month; several volumes unless given. */
  readonly webhooks?: number | undefined;
  /** Entities in the table; those of a year of webhooks unless given. */
  readonly entities?: number | undefined;
  readonly isJson: boolean;
};

/** What an environment costs a month in US dollars, by volume, as a table or as JSON. @throws {DeploymentError} */
export function describeCost({ environment, region, webhooks, entities, isJson }: DescribeCostProps): string {
  const { name, templates, eventRetentionDays, lists } = environment;
  const deployment = readDeployment(templates);
  const columns = costColumns({
    deployment,
    usage: readCountedUsage(),
    eventRetentionDays,
    lists,
    region,
    entities,
    volumes: webhooks === undefined ? volumes : [webhooks],
  });
  const { notPriced } = deployment;
  if (isJson) return JSON.stringify({ environment: name, region, pricesOf, assumptions, columns, notPriced });
  const head = ['US dollars a month', ...columns.map((column) => volumeName(column.webhooks))];
  const rows = [head, ...costRows(columns)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const unverified = Object.values(prices).filter(({ usd }) => usd[region][1] === 'memory').length;
  return [
    `Environment ${name}, region ${region}, webhooks a month. Shares from 10 % are marked.\n`,
    ...rows.map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('   '),
    ),
    `\nPrices of ${pricesOf}. ${unverified} of ${Object.keys(prices).length} were compared with no page: cli/cost/price-list.ts.`,
    'Scheduled runs find nothing to do here, and reconcile reads the share of the entities that is open: set them by --entities.',
    'Without taxes, free tiers, discounts and data transfer. Assumed:',
    ...assumptionRows.map(([, value, meaning]) => `- ${value.toLocaleString('en-US')}: ${meaning}`),
    ...Object.entries(notPriced).map(([type, count]) => `Not priced: ${type} (${count}).`),
  ].join('\n');
}
