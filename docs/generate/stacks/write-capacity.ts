import { type Region, regions } from '#cli/cost/price-list.ts';
import { generated } from '#docs/generate/generated.ts';
import { writeTable } from '#docs/generate/write-table.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { type CapacityTable, capacityTables } from '#tools/capacity/capacity-tables.ts';
import { durations } from '#tools/capacity/durations.ts';
import { quotas, quotasOf } from '#tools/capacity/quotas.ts';
import { entityMix } from '#tools/capacity/reconcile-year.ts';

const region: Region = 'eu-central-1';

const share = (part: number) => `${(part * 100).toLocaleString('en-US')}%`;

/** docs/capacity.md, for settings/example.json. */
export function writeCapacity(): string {
  const settings = checkSettings('example', readSettingsFile(settingsDirectory, 'example'));
  const tables = capacityTables({ settings, region });
  const write = ({ head, rows }: CapacityTable) => writeTable(head, rows);
  const quotaRows = Object.values(quotas).map(({ name, values, isAdjustable, page }) => [
    name,
    ...regions.map((one) => {
      const [value, evidence] = values[one];
      return `${value.toLocaleString('en-US')}${evidence === 'memory' ? ' (unverified)' : ''}`;
    }),
    isAdjustable ? 'yes' : 'no',
    `[AWS](${page})`,
  ]);
  const durationRows = Object.entries(durations).map(([name, { ms, meaning }]) => [`\`${name}\``, String(ms), meaning]);
  return `${generated}

# Capacity

*For engineers who plan for a rate of webhooks, and for operators before a day with many of them.*

\`\`\`sh
node tools/capacity/main.ts                              # the settings of settings/example.json
node tools/capacity/main.ts --environment production     # your settings
node tools/capacity/main.ts --region us-east-1           # other quotas
\`\`\`

The command computes from your settings, [the default quotas of AWS](#quotas), [counted requests](reference/cost.md#what-was-counted) and
[assumed durations](#assumptions). Nothing of this page was measured on AWS. The page shows \`settings/example.json\` in ${region}.

## What gives first

${write(tables.exceeded)}

No limit loses a webhook: a webhook that is not answered 200 stays with the platform, and [\`drain\`](explanation/draining.md) stores it later.

Each rate needs, with full batches and with warm instances:

${write(tables.limits)}

Needs above what there is are bold. SQS has no limit for the requests to a standard queue.

## A burst

The platform delivers 10,000 webhooks a second, after an hour without any. No instance is warm, and Lambda works on five batches.

- **429**: the throttle of the webhook route protects the account from a flood. Raise the throttle to what your platform sends in a burst.
- **503**: in the first second Lambda starts as many instances of \`receive\` as the account allows. Nothing helps except a higher quota of
  concurrent executions.
- The platform keeps what is refused. Where it does not repeat the delivery, \`drain\` [stores the webhook](#an-outage).
- The queue grows until Lambda has added pollers. \`StoreErrors\` and the dead-letter queue stay empty. The alarm \`WebhooksLate\` needs 15 minutes.

## An outage

The platform keeps the webhooks of an outage, and \`drain\` stores them. A run begins every minute and works until shortly before the next run.
It commits one page while the platform lists the next one, so the list is the limit:

${write(tables.outage)}

While more webhooks become undelivered than \`drain\` stores, the list grows. Raise \`platformProfile.pageSize\` as far as your platform allows it.
\`drain\` lists each webhook a second time before it marks the webhook as delivered. Memory does not grow with the list:
\`npm run scenario -- backlog\` compares 100,000 webhooks with 1,000, and the pace of a run with the pace of the list.

## Keys

The key of an event is a hash, and the key of an entity is its id. A partition takes 1,000 write units a second. One entity has one key: an entity
with more than 1,000 webhooks a second is throttled, and its webhooks wait in the queue.

The indexes of lists have lanes, each with a partition key. The command spreads a second of webhooks, all of one event type, over them. The index of due onboardings has
one key, so that \`wake\` asks one query a minute:

${write(tables.partitions)}

A partition can hold several keys. [Lists](explanation/lists.md#which-rate-the-lanes-take) has the rate that remains, by the setting \`listLanes\`.

## The day on which a million persons change

A partner's million persons get a webhook each: new terms, or a migration on the platform.

- **Webhooks.** 1,000 a second take 17 minutes and need [nothing raised](#what-gives-first).
- **Your services.** The bus delivers one event for each webhook to each subscriber. A queue between the bus and your service holds them.
- **Onboardings.** \`store\` wakes only onboardings that are open.
- **Read-backs.** A webhook without a time does not decide the status of a person: \`reconcile\` reads the person back. A run spends half of
  its time on calls for single persons, and half on the pages of the platform's list, which settle 20 persons each:

${write(tables.persons)}

Pages are read one after the other, so that a page of ${durations.platformPage.ms} ms bounds a higher rate. Until a person is read back, \`GET /entities\`
shows \`toReadBack\` with the last known status.

To be faster, invoke \`reconcile\` again as soon as a run ends: \`npx drawbridge reconcile repair\` invokes it until the walk is over.

## A year of reconciliation

A run asks for what is due: entities that expect a report and have had none for \`readBackAfterHours\`, and marked ones. Its work depends on what is open. In 0.2.0
a walk read every entity that ever was. The model plays a year at 100 webhooks a second hour by hour, of new entities ${share(entityMix.transfers)} transfers,
${share(entityMix.verifications)} verifications, ${share(entityMix.persons)} persons, and orders. Of the transfers and verifications ${share(entityMix.slowShare)} are silent for
${entityMix.slowHours} hours, and ${share(entityMix.markedShare)} of all persons are marked each day. Change them in \`tools/capacity/reconcile-year.ts\`:

${write(tables.reconcileYear)}

Bold: a walk took longer than a day, so that \`ReconcileSilent\` stayed on, or more is due than the runs may ask for. Then the alarm goes off: raise
\`reconciliation.callsPerSecond\`. The list of persons takes the rest of each run, and no alarm waits for its end.

## Quotas

Defaults of ${quotasOf}. \`unverified\` means that the quota was compared with no page.

${writeTable(['Quota', ...regions, 'Adjustable', 'Page'], quotaRows)}

## Assumptions

In milliseconds. Compare them with the metric \`Duration\` of your functions, and change \`tools/capacity/durations.ts\`.

${writeTable(['Name', 'Milliseconds', 'Meaning'], durationRows)}
`;
}
