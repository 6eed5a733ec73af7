import { drawBars } from '#sandbox/report/charts.ts';
import { formatConditions, type PageSection, type RunConditions } from '#test/bench/performance-page.ts';
import { formatFigure, formatSpread, table, type Verdict, verdict } from '#test/bench/report.ts';
import type { Sample } from '#test/bench/run-sample.ts';
import { ratiosOf, spreadOf } from '#test/bench/statistics.ts';
import type { StartResult, StartsResult, StartVariant } from './start-bench.ts';

type Figure = (sample: Sample, empty: Sample) => number;

const load: Figure = (own, empty) => own.load.wall - empty.load.wall;
const first: Figure = (own, empty) => own.first.wall - empty.first.wall;
const both: Figure = (own, empty) => load(own, empty) + first(own, empty);
const cpu: Figure = (own, empty) => own.load.cpu + own.first.cpu - empty.load.cpu - empty.first.cpu;

const charts = [
  { file: 'images/bench-starts-clock.svg', title: 'load and first call, above an empty handler (ms)', figure: both },
  {
    file: 'images/bench-starts-cpu.svg',
    title: 'CPU time of load and first call, above an empty handler (ms)',
    figure: cpu,
  },
] as const;

/** The largest ratio of CPU time to the same function with the SDK. Our own clients must not make a function slower. */
const maxRatio = 1;

const figuresOf = ({ samples }: StartResult, variant: StartVariant, { empty }: StartsResult, figure: Figure) =>
  samples[variant].map((sample, round) => figure(sample, empty[round] ?? sample));

function ratiosToSdk(of: StartResult, result: StartsResult, figure: Figure): readonly number[] {
  return ratiosOf(figuresOf(of, 'as deployed', result, figure), figuresOf(of, 'with the SDK', result, figure));
}

/** Compares each function with itself, bundled with the SDK. */
export function judgeStarts(result: StartsResult): readonly Verdict[] {
  return result.functions.map((one) =>
    verdict(
      `${one.name}: CPU of load and first call ÷ with the SDK`,
      spreadOf(ratiosToSdk(one, result, cpu)).median,
      maxRatio,
    ),
  );
}

/** The functions as a table, in Markdown: the one with most CPU time first. */
export function formatStarts(result: StartsResult): string {
  const rows = dearestFirst(result).map((one) => {
    const { 'as deployed': own, 'with the SDK': whole } = one.bytes;
    return [
      `\`${one.name}\``,
      ...[load, first, both, cpu].map((figure) => formatSpread(figuresOf(one, 'as deployed', result, figure))),
      formatSpread(ratiosToSdk(one, result, both)),
      formatSpread(ratiosToSdk(one, result, cpu)),
      (own / 1_000).toFixed(0),
      formatFigure(own / whole),
    ];
  });
  const head = [
    'Function',
    'Load (ms)',
    'First call (ms)',
    'Both (ms)',
    'CPU of both (ms)',
    'Both ÷ with the SDK',
    'CPU ÷ with the SDK',
    'Bundle (KB)',
    'Bundle ÷ with the SDK',
  ];
  return table(head, rows);
}

/** What a run says, for the page, and its chart. */
export function startsSection(result: StartsResult, rounds: number, conditions: RunConditions): PageSection {
  const images = charts.map(({ title, file }) => `![${title}](${file})`).join('\n\n');
  const bars = (figure: Figure) =>
    dearestFirst(result).map((one) => [one.name, medianOf(one, result, figure)] as const);
  const text = `## Cold starts

Each function of the synthesized stacks starts in a new process, with its real bundle and its environment, and answers its first call. AWS and the platform are those
of the laptop, and an AWS call without permission fails. The event is one that the function got on the laptop: a webhook, a request, a message, or a run of the
schedule. Every figure is above that of an empty handler in the same round: the median of ${rounds} rounds, with the lowest and the highest.
${formatConditions(conditions)}

- **With the SDK** is the same function, bundled with the clients of the SDK, in the same round ([0370](decisions/0370-our-own-clients-stand-in-for-the-sdk.md)).
- The laptop's emulators answer slower than the stub servers above. That time is in the first call, and not in the CPU time.
- \`receive\` does the work of its first call while it loads ([0371](decisions/0371-receive-is-warm-when-init-ends.md)).
- \`store\` gets a duplicate here. The section above has a fresh record.

${images}

${formatStarts(result)}`;
  const files = charts.map(({ file, figure }) => [`docs/${file}`, drawBars(bars(figure), 'ms').toString()] as const);
  return { text, files };
}

function dearestFirst(result: StartsResult): readonly StartResult[] {
  return result.functions.toSorted((one, other) => medianOf(other, result, cpu) - medianOf(one, result, cpu));
}

function medianOf(one: StartResult, result: StartsResult, figure: Figure): number {
  return spreadOf(figuresOf(one, 'as deployed', result, figure)).median;
}
