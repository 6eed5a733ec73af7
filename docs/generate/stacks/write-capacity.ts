import { assumptions } from '#cli/cost/assumptions.ts';
import { readDeployment } from '#cli/cost/deployment.ts';
import { type Region, regions } from '#cli/cost/price-list.ts';
import { generated } from '#docs/generate/generated.ts';
import { writeTable } from '#docs/generate/write-table.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { type CapacityTable, capacityTables } from '#tools/capacity/capacity-tables.ts';
import { quotas, quotasOf } from '#tools/capacity/quotas.ts';
import { entityMix } from '#tools/capacity/reconcile-year.ts';
import type { TrialApps } from '#tools/stacks/trial-apps.ts';

const region: Region = 'eu-central-1';

const share = (part: number) => `${(part * 100).toLocaleString('en-US')}%`;

/** docs/capacity.md, for settings/example.json. */
export function writeCapacity({ templatesOf }: Pick<TrialApps, 'templatesOf'>): string {
  const settings = checkSettings('example', readSettingsFile(settingsDirectory, 'example'));
  const deployment = readDeployment(templatesOf({ ...settings, onboarding: undefined, keepStandIns: true }));
  const tables = capacityTables({ settings, deployment, region });
  const write = ({ head, rows }: CapacityTable) => writeTable(head, rows);
  const quotaRows = Object.values(quotas).map(({ name, values, isAdjustable, page }) => [
    `[${name}](${page})`,
    ...regions.map((one) => {
      const [value, evidence] = values[one];
      return `${value.toLocaleString('en-US')}${evidence === 'memory' ? ' (unverified)' : ''}`;
    }),
    isAdjustable ? 'yes' : 'no',
  ]);
  return `${generated}

# Limits and cost

*For engineers who plan for a rate of webhooks, and for operators before a day with many of them.*

\`\`\`sh
node tools/capacity/main.ts --environment production --region us-east-1
\`\`\`

The command computes from your stacks, [the default quotas of AWS](#quotas), [counted requests](reference/cost.md#what-was-counted) and
[assumed durations](reference/cost.md#assumptions). Nothing of this page was measured on AWS. The page shows \`settings/example.json\` in ${region}.

## What breaks first

${write(tables.first)}

No limit loses a webhook: what is not answered 200 stays with the platform, and [\`drain\`](explanation/draining.md) stores it later.

## What it costs

${write(tables.cost)}

A month of the rate, at the first tier of each price. With \`storeBatchingSeconds\`, webhooks wait for up to so many seconds to share an invocation. The
largest part is the storage of events, which \`eventRetentionDays\` bounds. [Cost](reference/cost.md) has the lines, other volumes and other settings.

## The arithmetic

For R webhooks a second, with full batches and warm instances. Needs above what there is are bold. SQS does not limit a standard queue.

${write(tables.limits)}

## A burst

The platform delivers 10,000 webhooks a second, after an hour without any. No instance is warm, and Lambda works on five batches.

- **429**: raise \`webhookThrottle\` to what your platform sends in a burst. It protects the account from a flood.
- **503**: Lambda starts as many instances of \`receive\` as the account allows. Only a higher quota of concurrent executions helps.
- Where the platform does not repeat a delivery, \`drain\` stores what was refused.
- The queue grows until Lambda has added pollers. The alarm \`WebhooksLate\` needs 15 minutes.

## An outage

The platform keeps the webhooks of an outage. \`drain\` runs every minute, and commits one page while the platform lists the next one, so that the
list is the limit. Raise \`platformProfile.pageSize\` as far as your platform allows it:

${write(tables.outage)}

## Keys

The key of an event is a hash, and the key of an entity is its id. A partition takes 1,000 write units a second. An entity with more than 1,000
webhooks a second is throttled, and its webhooks wait in the queue.

The indexes of lists have lanes, each with a partition key; the index of due onboardings has one key, which \`wake\` queries each minute. A second of
webhooks, all of one event type:

${write(tables.partitions)}

A partition can hold several keys. [Lists](explanation/lists.md#which-rate-the-lanes-take) has the rate that remains, by the setting \`listLanes\`.

## The day on which a million persons change

New terms, or a migration on the platform: 1,000 webhooks a second take 17 minutes and need nothing raised. Put a queue between the bus and your
service. A webhook without a time does not decide the status of a person: \`reconcile\` reads the person back, half of a run with calls for single
persons, and half by pages of the platform's list, which settle 20 persons each:

${write(tables.persons)}

A page of ${assumptions.pageMs.value} ms bounds a higher rate. To be faster,
\`npx --no -- drawbridge reconcile repair\` invokes \`reconcile\` until the walk is over.

## Beyond 10,000 a second

The next design removes what a webhook does not need. API Gateway sends the request to SQS itself, and a Lambda authorizer checks the secret header and
is cached for minutes by that header: \`receive\` and its concurrency are gone. A body above the message limit of SQS goes to S3, and the message holds its
key. Provisioned pollers of the event source mapping start with capacity, where Lambda adds 300 batches a minute. Then the account is the limit. Cells
follow: an environment each, in an account of its own. Each event type has a URL of its own, so that the registrations divide the load. None of this is
built: it costs a second way to authenticate, and an order of deployment over accounts.

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

${writeTable(['Quota', ...regions, 'Adjustable'], quotaRows)}
`;
}
