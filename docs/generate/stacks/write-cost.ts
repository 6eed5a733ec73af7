import { assumptionRows } from '#cli/cost/assumptions.ts';
import {
  type CostTableProps,
  costColumns,
  costRows,
  formatUsd,
  listCostRows,
  volumeName,
  volumes,
} from '#cli/cost/cost-table.ts';
import { readCountedUsage, type Usage } from '#cli/cost/counted-usage.ts';
import { type Evidence, prices, pricesOf, type Region, regions } from '#cli/cost/price-list.ts';
import { readDeployment } from '#cli/cost/read-deployment.ts';
import { generated } from '#docs/generate/generated.ts';
import { writeTable } from '#docs/generate/write-table.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import type { TrialApps } from '#tools/stacks/trial-apps.ts';

const evidenceTexts: Readonly<Record<Evidence, string>> = { page: 'compared', quoted: 'quoted', memory: 'unverified' };

/** docs/reference/cost.md, for settings/example.json: no cost depends on its placeholders, which may be in no stack. */
export function writeCost({ templatesOf }: Pick<TrialApps, 'templatesOf'>): string {
  const example = checkSettings('example', readSettingsFile(settingsDirectory, 'example'));
  const { eventRetentionDays } = example;
  const deployment = readDeployment(templatesOf({ ...example, onboarding: undefined, keepStandIns: true }));
  const usage = readCountedUsage();
  const table = (region: Region) => {
    const columns = costColumns({ deployment, usage, eventRetentionDays, region, volumes });
    const head = ['US dollars a month', ...volumes.map(volumeName)];
    return `### ${region}\n\n${writeTable(head, costRows(columns))}`;
  };
  const notPriced = Object.entries(deployment.notPriced).map(([type, count]) => `\`${type}\` (${count})`);
  return `${generated}

# Cost

*For engineers and managers who plan what an environment costs.*

\`\`\`sh
npm run drawbridge -- cost --env example                        # the settings of settings/example.json
npm run drawbridge -- cost --webhooks 250000 --region us-east-1 # another volume, and other prices
npm run drawbridge -- cost --entities 2000000                   # as many entities in the table
npm run drawbridge -- cost --json                               # with quantities
\`\`\`

The command computes the cost of an environment from three sources: the synthesized stacks, [counted requests](#what-was-counted), and
[a price list](#prices) of ${pricesOf}. This page shows \`settings/example.json\`.

## By volume

Columns are webhooks a month, spread evenly. 100 million a month are 38 a second. Shares from 10 % are marked. Amounts are without taxes,
free tiers, volume discounts and data transfer.

${regions.map(table).join('\n\n')}

## Lists

Two settings keep a time index, by which the API lists [all events](api.md#get-events) and [entities](api.md#get-entitieskind). Neither is in the
tables above. They add, in US dollars a month:

${regions.map((region) => `${region}:\n\n${writeTable(['Setting', ...volumes.map(volumeName)], listCostRows({ deployment, usage, eventRetentionDays, region, volumes }))}`).join('\n\n')}

\`listEvents\` adds ${usage.webhook.lists.events.writeUnits} write units to a webhook, and \`listEntities\` ${usage.webhook.lists.entities.writeUnits}. The rest is storage.

## Growth

Scheduled runs are counted as finding nothing to do. The reads of \`reconcile\` grow with the entities that expect a report, and are a line of their own: each run reads the index
of them ([the decision](../decisions/reconcile.md#by-what-is-open-not-by-all-that-ever-was)). The tables take the entities of a year of webhooks, and
\`--entities\` sets another number. An upgrade from 0.2.0 scans the table twice: half a read unit for 4 KB.

${writeTable(['Entities', ...regions.map((region) => `${region}: US dollars a month`)], entityRows({ deployment, usage, eventRetentionDays }))}

The storage lines grow until the oldest event expires, after ${eventRetentionDays} days. Entities never expire: their storage is that of a year.

Resources without a price here: ${notPriced.length === 0 ? 'none' : notPriced.join(', ')}. The setting \`backup\` adds the storage of
AWS Backup, and the setting \`network\` needs a NAT gateway or endpoints of yours: neither is computed.

## What was counted

\`${usage.countedBy}\` delivers webhooks to the hosted stacks one at a time, runs each schedule once, and counts what the functions ask of AWS.
A test counts again, and fails when a change makes a webhook or a run ask for more or less.

A webhook is the mean of the three webhooks of an order. A run finds nothing to do.

${writeTable(['Counted', 'a webhook', ...Object.keys(usage.runs).map((run) => `\`${run}\``)], countedRows(usage.webhook, Object.values(usage.runs)))}

A webhook adds ${usage.webhook.storedBytes.events} bytes to the events table, and ${usage.webhook.storedBytes.entities} to the entities table.

An event that names persons writes one row for each name to the table of persons: an id of a person or a verification, or an \`externalId\` of a person. Events about a
person or a verification name one or two. Each row is a write request unit for each delivery: ${regions.map((region) => `${prices.writeUnit.usd[region][0]} US dollars for a million in ${region}`).join(', ')}.
The orders that were counted name none.

These are not counted: onboardings, queries, rejected deliveries, replays, and what a run finds to do. A rejected delivery costs one request
of API Gateway and one invocation of \`receive\`.

## Assumptions

No figure of this table was measured on AWS. Compare \`receiveMs\` and \`storeMs\` with the metric \`Duration\` of your functions, and change
\`cli/cost/assumptions.ts\`.

${writeTable(
  ['Name', 'Value', 'Meaning'],
  assumptionRows.map(([key, value, meaning]) => [`\`${key}\``, value.toLocaleString('en-US'), meaning]),
)}

## Prices

Prices of ${pricesOf}, in US dollars. \`quoted\` means that other public pages quote AWS with this price. \`unverified\` means that
the price was not compared with any page. To update a price, read its page, change \`cli/cost/price-list.ts\`, mark the price as
\`page\`, set the date, and write this page again.

AWS adds the price of a key for the first and the second yearly rotation of the key.

${writeTable(['Item', 'Per', ...regions, 'Page'], priceRows())}
`;
}

/** What `reconcile` reads, by the number of entities. */
function entityRows(props: Pick<CostTableProps, 'deployment' | 'usage' | 'eventRetentionDays'>) {
  return [10_000, 100_000, 1_000_000, 5_000_000].map((entities) => [
    entities.toLocaleString('en-US'),
    ...regions.map((region) => {
      const [column] = costColumns({ ...props, region, volumes: [0], entities });
      return formatUsd(column?.lines.find(({ price }) => price === 'entityRead')?.usd ?? 0);
    }),
  ]);
}

function countedRows(webhook: Usage, runs: readonly Usage[]): readonly (readonly string[])[] {
  const all = [webhook, ...runs];
  const requests = [...new Set(all.flatMap((one) => Object.keys(one.requests)))].toSorted();
  const row = (name: string, of: (one: Usage) => number) => [name, ...all.map((one) => String(of(one)))];
  return [
    ...requests.map((request) => row(request, (one) => one.requests[request] ?? 0)),
    row('write request units', ({ writeUnits }) => writeUnits),
    row('read request units', ({ readUnits }) => readUnits),
    row('bus events', ({ busEvents }) => busEvents),
    row('bytes of bus events', ({ busBytes }) => busBytes),
    row('bytes of log lines', ({ logBytes }) => logBytes),
    row('metrics', ({ metrics }) => metrics.length),
  ];
}

function priceRows(): readonly (readonly string[])[] {
  return Object.values(prices).map(({ name, per, amount, usd, page }) => {
    const cell = (region: Region) => {
      const [price, evidence] = usd[region];
      return `${price} (${evidenceTexts[evidence]})`;
    };
    const unit = amount === 1 ? per : `${amount.toLocaleString('en-US')} × ${per}`;
    return [name, unit, ...regions.map(cell), `[AWS](${page})`];
  });
}
