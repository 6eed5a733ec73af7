import { formatConditions, type RunConditions } from '#test/bench/performance-page.ts';
import { formatSpread, formatVerdicts, table, type Verdict, verdict } from '#test/bench/report.ts';
import { spreadOf } from '#test/bench/statistics.ts';
import type { Effects } from './count-effects.ts';
import { deliveryConcurrency, type LaptopRound, laptopWebhooks } from './laptop-bench.ts';

const webhooks = laptopWebhooks.orders + laptopWebhooks.duplicates;

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const sumOf = (rounds: readonly LaptopRound[], count: keyof Effects) =>
  rounds.reduce((sum, { effects }) => sum + effects[count], 0);

/** Every webhook must have had its one effect. */
export function judgeLaptop(rounds: readonly LaptopRound[]): readonly Verdict[] {
  return [
    verdict('laptop: lost effects', sumOf(rounds, 'lost'), 0),
    verdict('laptop: duplicate effects', sumOf(rounds, 'duplicated'), 0),
  ];
}

/** The tables of a run, in Markdown. */
export function formatLaptop(rounds: readonly LaptopRound[]): string {
  const row = (name: string, of: (round: LaptopRound) => number) => [name, formatSpread(rounds.map(of))];
  return [
    table(
      ['', 'Measured'],
      [
        row('webhooks answered 200, a second', ({ answered }) => webhooks / answered),
        row('webhooks stored and on the bus, a second', ({ published }) => webhooks / published),
        row('from a delivery to the bus event, median (ms)', ({ delays }) => spreadOf(delays).median * 1_000),
        row('from a delivery to the bus event, 99th percentile (ms)', ({ delays }) => percentile(delays, 0.99) * 1_000),
      ],
    ),
    formatVerdicts(`Checked for ${(rounds.length * webhooks).toLocaleString('en-US')} webhooks`, judgeLaptop(rounds)),
    `Copies of a change on the bus: ${sumOf(rounds, 'copies')}, for ${rounds.length * laptopWebhooks.duplicates} duplicate deliveries.`,
  ].join('\n\n');
}

/** What a run says, for the page. */
export function laptopSection(rounds: readonly LaptopRound[], conditions: RunConditions): string {
  return `## The laptop, end to end

The sandbox platform delivers ${webhooks.toLocaleString('en-US')} webhooks to the hosted stacks, ${deliveryConcurrency} at a time. ${laptopWebhooks.orders} are about new orders, and ${laptopWebhooks.duplicates} are duplicates. A webhook goes
through the HTTP API, \`receive\`, the queue and \`store\` to the stored entity and the event on the bus. The clock starts with the first delivery. It stops when the last
webhook is answered and the last event is on the bus. Each figure is the median of ${rounds.length} rounds, with the lowest and the highest, after a round that is not measured.
${formatConditions(conditions)}

The platform, the emulators of AWS and at most four processes of each function share the machine: this is what a developer's tests get, and no figure of AWS.

${formatLaptop(rounds)}

- **Lost**: a webhook without an answer 200 or without its event, an order without its entity or without a change on the bus, and a dead letter.
- **Duplicate**: an event that is stored twice, an entity that is written twice, and a second change of an order.
- A duplicate delivery publishes the same change again, because \`store\` cannot know whether the first one was published. Consumers recognize a copy by its
  \`sequence\`.`;
}
