import { assumptions } from '#cli/cost/assumptions.ts';
import { type Region, regions } from '#cli/cost/price-list.ts';
import { readPricedResources } from '#cli/cost/priced-resources.ts';
import { generated } from '#docs/generate/generated.ts';
import { writeTable } from '#docs/generate/write-table.ts';
import { checkConcurrency } from '#functions/retry-undelivered/reconcile/detect-drift.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import type { TrialApps } from '#test/infra/stacks/trial-apps.ts';
import { type CapacityTable, capacityTables } from '#tools/capacity/capacity-tables.ts';
import { fastestAnswerMs, maxCallsPerSecond } from '#tools/capacity/limits.ts';
import { quotas, quotasOf } from '#tools/capacity/quotas.ts';

const region: Region = 'eu-central-1';

const share = (part: number) => `${(part * 100).toLocaleString('en-US')}%`;

const readExample = () => checkSettings('example', readSettingsFile(settingsDirectory, 'example'));

/** The page of `node tools/capacity/main.ts`, for settings/example.json. */
export function writeCapacity({ templatesOf }: Pick<TrialApps, 'templatesOf'>): string {
  const settings = readExample();
  const resources = readPricedResources(templatesOf({ ...settings, onboarding: undefined, keepStandIns: true }));
  const tables = capacityTables({ settings, resources, region });
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

# Limits

*For engineers who plan for a rate of webhooks.* [Cost and limits](../explanation/cost-and-limits.md) explains what to do about them. In a clone:

\`\`\`sh
node tools/capacity/main.ts --environment production --region us-east-1
\`\`\`

The command computes from your stacks, [the default quotas of AWS](#quotas), [counted requests](cost.md#what-was-counted) and
[assumed durations](cost.md#assumptions). Nothing of this page was measured on AWS. The page shows \`settings/example.json\` in ${region}.

## What breaks first

${write(tables.first)}

## What it costs

${write(tables.cost)}

A month of the rate, at the first tier of each price. With \`storeBatchingSeconds\`, webhooks wait for up to so many seconds to share an invocation.
[Cost](cost.md) has the lines, other volumes and other settings. Read-backs included: of what \`reconcile\` has to ask for, the part that
\`reconciliation.callsPerSecond\` allows.

## The arithmetic

For R webhooks a second, with full batches and warm instances. Needs above what there is are bold. SQS does not limit the
rate of a standard queue.

${write(tables.limits)}

The index \`due\` has its own keys and no setting. The figure is for orders whose reports come in different quarters of an hour. One that is
filled in the quarter of its first report writes the index half as often. \`reconcile\` has ${checkConcurrency} calls under way at most: ${maxCallsPerSecond} a second need answers within ${fastestAnswerMs} ms.

## An outage

\`drain\` stores at the pace of the platform's list:

${write(tables.outage)}

## Keys

A second of webhooks, all of one event type:

${write(tables.partitions)}

Several keys can share a partition. The webhooks a second that a list takes in 95 of 100 placements, by the setting \`listLanes\` and the
number of partitions of the index:

${write(tables.lanes)}

Each placement is equally likely, the lanes are equally full, and all webhooks are of one type or status. No partition is split: DynamoDB
splits a partition that stays busy, until each lane has its own, and documents no time for that. A webhook writes one unit to the index, a
change of an entity's status two. A new table has 4 partitions.

## A million persons change

Persons whose status is to be read back, half of a run with calls for single persons, and half by pages of the platform's list. A page of
${assumptions.pageMs.value} ms bounds a higher rate:

${write(tables.persons)}

## A year of reconciliation

The model plays a year at 100 webhooks a second hour by hour. Of new entities ${share(assumptions.transferShare.value)} are transfers,
${share(assumptions.verificationShare.value)} verifications, ${share(1 / assumptions.entitiesPerPerson.value)} persons, and the others orders. Of the transfers and verifications
${share(assumptions.silentShare.value)} are silent for ${assumptions.silentHours.value} hours, and ${share(assumptions.markedShare.value)} of all persons are marked each day.
The cost has the same shares: change them in \`cli/cost/assumptions.ts\`.

${write(tables.reconcileYear)}

Bold: a walk of 0.2.0 took longer than a day, more is due than the runs may ask for, or something due waits for longer than
\`reconciliation.staleAfterHours\`. Then \`ReconcileSilent\` goes off: raise
\`reconciliation.callsPerSecond\`. The list of persons takes the rest of each run until it is read, and no alarm waits for its end.

## Quotas

Defaults of ${quotasOf}. \`unverified\` means that the quota was compared with no page.

${writeTable(['Quota', ...regions, 'Adjustable'], quotaRows)}
`;
}
