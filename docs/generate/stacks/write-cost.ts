import { assumptions } from '#cli/cost/assumptions.ts';
import {
  costColumns,
  costRows,
  describeCapped,
  describePerMillion,
  formatUsd,
  listCostRows,
  perMillionWebhooks,
  volumeName,
  volumes,
} from '#cli/cost/cost-table.ts';
import { readCountedUsage, type Usage } from '#cli/cost/counted-usage.ts';
import { prices, pricesOf, type Region, regions, trailPrice } from '#cli/cost/price-list.ts';
import { readPricedResources } from '#cli/cost/priced-resources.ts';
import { readUnitsPerVerification, writeUnitsPerCheckpoint } from '#cli/cost/quantities.ts';
import { costSettings } from '#cli/cost/synthesize-app.ts';
import { generated } from '#docs/generate/generated.ts';
import { writeTable } from '#docs/generate/write-table.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import type { TrialApps } from '#test/infra/stacks/trial-apps.ts';

/** The page of `drawbridge cost`, for settings/example.json: no cost depends on its placeholders, which may be in no stack. */
export function writeCost({ templatesOf }: Pick<TrialApps, 'templatesOf'>): string {
  const example = checkSettings('example', readSettingsFile(settingsDirectory, 'example'));
  const templates = (changes: object) =>
    readPricedResources(templatesOf({ ...example, onboarding: undefined, keepStandIns: true, ...changes }));
  const resources = templates({});
  const usage = readCountedUsage();
  const props = (region: Region) => ({ ...costSettings(example), resources, usage, region });
  const ofRegion = (region: Region) => {
    const columns = costColumns(props(region), volumes);
    const texts = [describePerMillion(perMillionWebhooks(props(region))), ...columns.flatMap(describeCapped)];
    return `### ${region}\n\n${writeTable(['US dollars a month', ...volumes.map(volumeName)], costRows(columns))}\n\n${texts.join('\n\n')}`;
  };
  const changed = (text: string, changes: object, settings: object = {}) => [
    text,
    ...costColumns({ ...props('eu-central-1'), ...settings, resources: templates(changes) }, volumes).map(({ usd }) =>
      formatUsd(usd),
    ),
  ];
  const { readBack, person } = usage.reconcile;
  return `${generated}

# Cost

*For engineers and managers who plan what an environment costs.* [Limits](capacity.md) says what to set for a volume.

\`\`\`sh
npx --no -- drawbridge cost --env production                     # the settings of settings/production.json
npx --no -- drawbridge cost --webhooks 250000 --region us-east-1 # another volume, and other prices
npx --no -- drawbridge cost --entities 2000000                   # as many entities in the table
npx --no -- drawbridge cost --json                               # with quantities
\`\`\`

A cost is a quantity by a price. The quantities come from the synthesized stacks, from [counted requests](#what-was-counted) and from
[assumptions](#assumptions), and the [prices](#prices) are of ${pricesOf}. Nothing here was measured on AWS.

## By volume

Columns are webhooks a month, spread evenly: 100 million are 38 a second. The page shows \`settings/example.json\`. Amounts are without taxes, free
tiers, volume discounts and data transfer. The first three dashboards of an account are free: the line below the total leaves this one out.

${regions.map(ofRegion).join('\n\n')}

The aim of 0.75 of what the peers pay is not reached beside either. The peers get the same \`receiveMs\` and \`storeMs\`, because no duration was
measured on AWS.

## Settings

What the total is with other settings, in eu-central-1:

${writeTable(
  ['Setting', ...volumes.map(volumeName)],
  [
    changed('as above', {}),
    changed('`dashboard`: false', { dashboard: false }),
    changed('`tracing`: sampled', { tracing: 'sampled' }),
    changed('`storeBatchingSeconds`: 5', { storeBatchingSeconds: 5 }),
    changed('`eventRetentionDays`: 180', { eventRetentionDays: 180 }, { eventRetentionDays: 180 }),
    changed('the last two', { storeBatchingSeconds: 5, eventRetentionDays: 180 }, { eventRetentionDays: 180 }),
  ],
)}

Two settings keep a time index, by which the API lists [all events](../reference/api.md#get-events) and [entities](../reference/api.md#get-entitieskind). They add:

${writeTable(['Setting', ...volumes.map(volumeName)], listCostRows(props('eu-central-1')))}

## What grows

- **Storage** grows until the oldest event expires, after ${example.eventRetentionDays} days. Entities never expire: their storage is that of a year.
- **Reads by reconcile** follow, once in \`listEveryHours\`, the persons on the platform and the onboardings that are kept, and in each run the entities
  that expect a report. \`--entities\` sets the entities from which all three are computed.
- **Names of persons.** An event that names persons writes one row for each name to the table of persons: one or two write units for an event about a
  person or a verification. The orders that were counted name none.
- **A trail of your account** bills each call that it records, if it records data events of the tables, the queues and the functions. Drawbridge
  turns none on. The last line of the table has its price, without the polls of empty queues.

Not computed: onboardings, queries, rejected deliveries, replays, the setting \`backup\`, and a NAT gateway or endpoints of yours for \`network\`.

## What was counted

\`${usage.countedBy}\` delivers webhooks to the hosted stacks one at a time, runs each schedule once, and counts what the functions ask of AWS. A webhook
is the mean of the three webhooks of an order, each in another quarter of an hour. A run finds nothing to do. The column \`peers\` has what the functions of
[the bench](../explanation/performance.md#what-is-compared) ask for the same webhooks. A test counts webhooks and such runs again, and fails where the model differs by 5%.

${writeTable(
  ['Counted', 'a webhook', 'peers', ...Object.keys(usage.runs).map((run) => `\`${run}\``)],
  countedRows([usage.webhook, { ...usage.peers, busBytes: 0 }, ...Object.values(usage.runs)]),
)}

A webhook adds ${usage.webhook.storedBytes.events} bytes to the events table, and ${usage.webhook.storedBytes.entities} to the entities table. A transfer that \`reconcile\` reads back adds
${readBack.readUnits} read units and ${readBack.writeUnits} write units to a run where each person is the requestor, and a person of the list ${person.readUnits} read units.

Not counted: durations; how many entities are due; ${readUnitsPerVerification} read unit for the verification of each person of the list; ${writeUnitsPerCheckpoint} write units for a
checkpoint of \`reconcile\`, which has fewer while little is due; the polls of queues, the requests to KMS, and what Lambda logs.

## Assumptions

Compare \`receiveMs\` and \`storeMs\` with the metric \`Duration\` of your functions, and change \`cli/cost/assumptions.ts\`.

${writeTable(
  ['Name', 'Value', 'Meaning'],
  Object.entries(assumptions).map(([name, { value, meaning }]) => [
    `\`${name}\``,
    value.toLocaleString('en-US'),
    meaning,
  ]),
)}

## Prices

In US dollars. Other public pages quote AWS with these prices; for those that are marked as unverified, no page was found. To update a price, read its
page, change \`cli/cost/price-list.ts\`, and write this page again. AWS adds the price of a key for its first and second yearly rotation.

${writeTable(
  ['Item', 'For', ...regions, 'Page'],
  [...Object.values(prices), trailPrice].map(({ name, amount, usd, page, isUnverified }) => [
    name,
    amount.toLocaleString('en-US'),
    String(usd['us-east-1']),
    `${usd['eu-central-1']}${isUnverified ? ' (unverified)' : ''}`,
    `[AWS](${page})`,
  ]),
)}
`;
}

function countedRows(all: readonly Usage[]): readonly (readonly string[])[] {
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
