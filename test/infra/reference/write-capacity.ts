import { assumedDurations } from '#infra/capacity/assumed-durations.ts';
import type { BurstSecond } from '#infra/capacity/burst/simulate-burst.ts';
import { type CapacityReport, reportCapacity } from '#infra/capacity/capacity-report.ts';
import {
  burstTable,
  type CapacityTable,
  exceededTable,
  limitsTable,
  personsTable,
  spreadTable,
} from '#infra/capacity/capacity-tables.ts';
import { comparedRate, memoryTables } from '#infra/capacity/memory-table.ts';
import { quotas, quotasOf } from '#infra/capacity/quotas.ts';
import { requestMs } from '#infra/cost/lambda-duration.ts';
import { readMeasuredUsage } from '#infra/cost/measured-usage.ts';
import { regions } from '#infra/cost/price-list.ts';
import { synthesizeTemplates } from '#infra/cost/synthesize-templates.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { drawCurves } from '#sandbox/report/charts.ts';
import { writeTable } from '#test/docs/write-table.ts';
import { generated } from './generated.ts';

const region = 'eu-central-1';

/** The capacity of settings/example.json. */
export function exampleCapacity(): CapacityReport {
  const settings = checkSettings('example', readSettingsFile(settingsDirectory, 'example'));
  return reportCapacity({ settings, ...synthesizeTemplates('example'), region });
}

/** Seconds that the charts show. */
const shownSeconds = 400;

/** The charts of docs/capacity.md, by the name of their file. */
export async function drawCapacity({
  cases,
  usdPerWebhook,
}: CapacityReport): Promise<Readonly<Record<string, string>>> {
  const draw = async (readValue: (second: BurstSecond) => number, until = shownSeconds, every = 1) => {
    const curves = cases.map(({ name, seconds }) => ({
      name,
      points: seconds
        .filter(({ second }) => second <= until && second % every === 0)
        .map((one): readonly [number, number] => [one.second, readValue(one)]),
    }));
    const svg = String(await drawCurves(curves, 'seconds'));
    return `${svg}\n`;
  };
  return {
    'capacity-queue.svg': await draw(({ queued }) => queued),
    'capacity-age.svg': await draw(({ oldestSeconds }) => Math.round(oldestSeconds * 10) / 10),
    'capacity-undelivered.svg': await draw(({ undelivered }) => undelivered, 6_000, 30),
    'capacity-cost.svg': await draw(({ stored }) => Math.round(stored * usdPerWebhook * 1_000) / 1_000),
  };
}

/** docs/capacity.md. */
export function writeCapacity(report: CapacityReport): string {
  const write = ({ head, rows }: CapacityTable) => writeTable(head, rows);
  const usdPerMillion = (report.usdPerWebhook * 1_000_000).toFixed(2);
  const quotaRows = Object.values(quotas).map(({ name, values, isAdjustable, page }) => [
    name,
    ...regions.map((one) => {
      const [value, evidence] = values[one];
      return `${value.toLocaleString('en-US')}${evidence === 'memory' ? ' (unverified)' : ''}`;
    }),
    isAdjustable ? 'yes' : 'no',
    `[AWS](${page})`,
  ]);
  const durationRows = Object.entries(assumedDurations).map(([name, [value, meaning]]) => [
    `\`${name}\``,
    value.toLocaleString('en-US'),
    meaning,
  ]);
  const measured = readMeasuredUsage();
  const memory = memoryTables(measured, region);
  return `${generated}

# Capacity

*For engineers who plan for a rate of webhooks, and for operators before a day with many of them.*

\`\`\`sh
npm run capacity                                   # the settings of settings/example.json
npm run capacity -- --environment production       # your settings
npm run capacity -- --region us-east-1 --json      # other quotas, and each second of the bursts
\`\`\`

The command computes from your settings, [the default quotas of AWS](#quotas), [counted requests](reference/cost.md#what-was-counted) and
[assumed durations](#assumptions). Nothing of this page was measured on AWS. The page shows \`settings/example.json\` in ${region}.

## What gives first

${write(exceededTable(report.limits))}

No limit loses a webhook: a webhook that is not answered 200 stays with the platform, and [\`drain\`](explanation/draining.md) stores it later.

Each rate needs, with full batches and with warm instances:

${write(limitsTable(report.limits))}

Needs above what there is are bold. SQS has no limit for the requests to a standard queue.

## A burst

The platform delivers 10,000 webhooks a second for a minute, after an hour without any. No instance is warm, and Lambda works on five batches.
The command simulates each delivery, batch and page of \`drain\`, in three cases:

${writeTable(
  ['Case', 'Raised'],
  report.cases.map(({ name, raised }) => [name, raised]),
)}

${write(burstTable(report))}

- **429**: the throttle of the webhook route protects the account from a flood. Raise the throttle to what your platform sends in a burst.
- **503**: in the first second Lambda starts as many instances of \`receive\` as the account allows. Nothing helps except a higher quota of
  concurrent executions.
- The platform keeps what is refused. The simulation assumes that the platform does not repeat the delivery, so that \`drain\` stores each of them:
  ${Math.round(1_000 / assumedDurations.drainPage[0]) * 20} a second.
- \`StoreErrors\` and the dead-letter queue stay empty in each case. The alarm \`WebhooksLate\` needs 15 minutes.

Webhooks in the queue, by seconds since the burst began:

![Webhooks in the queue over 400 seconds, in three cases](images/capacity-queue.svg)

Age of the oldest message in the queue, in seconds:

![Age of the oldest message over 400 seconds, in three cases](images/capacity-age.svg)

Webhooks that the platform keeps, until the last one is drained:

![Webhooks that the platform keeps over 100 minutes, in three cases](images/capacity-undelivered.svg)

US dollars for what is stored, without storage (${usdPerMillion} for a million webhooks):

![Cost over 400 seconds, in three cases](images/capacity-cost.svg)

## Keys

The key of an event is a hash, and the key of an entity is its id. The command spreads a million orders over the partitions of a table by MD5,
because the hash of DynamoDB is not public:

${write(spreadTable(report))}

A partition takes 1,000 write units a second. One entity has one key: an entity with more than 1,000 webhooks a second is throttled, and its
webhooks wait in the queue. [Lists](explanation/lists.md#writes) shows the partitions of the indexes.

## Memory sizes

Lambda gives a function a part of a processor by its memory: 1,769 MB are a whole one. The tables compute each duration from the CPU time that
\`${measured.measuredBy.replace(' --save', '')}\` measured on another machine. A request takes ${requestMs.dynamodb} ms to DynamoDB, ${requestMs.sqs} ms to SQS and ${requestMs.eventBridge} ms to EventBridge:
assumed. The deployed size is bold ([decision 0376](decisions/0376-memory-sizes-by-measurement.md)).

\`receive\`, with a peak of ${measured.drawbridge.receive.megabytes.toFixed(0)} MB:

${write(memory.receive)}

\`store\`, with a peak of ${measured.drawbridge.storeTen.megabytes.toFixed(0)} MB for ten small webhooks:

${write(memory.store)}

Instances are those for ${comparedRate.toLocaleString('en-US')} webhooks a second, \`store\` with full batches. The first call is without what Lambda needs to start the runtime.

## The day on which a million persons change

A partner's million persons get a webhook each: new terms, or a migration on the platform.

- **Webhooks.** 1,000 a second take 17 minutes and need [nothing raised](#what-gives-first). They cost ${usdPerMillion} US dollars.
- **Your services.** The bus delivers one event for each webhook to each subscriber. A queue between the bus and your service holds them.
- **Onboardings.** \`store\` wakes only onboardings that are open.
- **Read-backs.** A webhook without a time does not decide the status of a person: \`reconcile\` reads the person back. A run spends half of
  its time on calls for single persons, and half on the pages of the platform's list, which settle 20 persons each:

${write(personsTable(report))}

Pages are read one after the other, so that a page of ${assumedDurations.drainPage[0]} ms bounds a higher rate. Until a person is read back, \`GET /entities\`
shows \`toReadBack\` with the last known status.

To be faster, invoke \`reconcile\` again as soon as a run ends: \`npx drawbridge reconcile repair\` invokes it until the walk is over.

## Quotas

Defaults of ${quotasOf}. \`unverified\` means that the quota was compared with no page.

${writeTable(['Quota', ...regions, 'Adjustable', 'Page'], quotaRows)}

## Assumptions

In milliseconds. Compare them with the metric \`Duration\` of your functions, and change \`infra/capacity/assumed-durations.ts\`.

${writeTable(['Name', 'Milliseconds', 'Meaning'], durationRows)}
`;
}
