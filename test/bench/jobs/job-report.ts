import { formatConditions, type RunConditions } from '#test/bench/performance-page.ts';
import { formatFigure, formatSpread, formatVerdicts, table, type Verdict, verdict } from '#test/bench/report.ts';
import { spreadOf } from '#test/bench/statistics.ts';
import { type JobResult, jobSizes } from './job-bench.ts';
import type { JobSample } from './run-job.ts';

/** The highest ratios: of the time to that of an earlier commit, and of the memory for the long list to that for the short one. */
const targets = { time: 2 / 3, memory: 1.3 } as const;

type Figure = { readonly name: string; readonly of: (sample: JobSample) => number };

const requestsOf = ({ requests }: JobSample) => Object.values(requests).reduce((sum, count) => sum + count, 0);

const figures: readonly Figure[] = [
  { name: 'records a second, on the clock', of: ({ size, wall }) => (size * 1_000) / wall },
  { name: 'CPU for each record (ms)', of: ({ size, cpu }) => cpu / size },
  { name: 'requests for each record', of: (sample) => requestsOf(sample) / sample.size },
  { name: 'peak of resident memory (MB)', of: ({ megabytes }) => megabytes },
];

const samplesOf = ({ samples }: JobResult, size: number) => samples.filter((sample) => sample.size === size);
const medianOf = (result: JobResult, size: number, of: Figure['of']) =>
  spreadOf(samplesOf(result, size).map(of)).median;

/** Compares `drain` with its targets. Its time has a target where an earlier commit was measured in the same run. */
export function judgeJobs(results: readonly JobResult[]): readonly Verdict[] {
  const drain = (version: JobResult['version']) =>
    results.find((result) => result.job === 'drain' && result.version === version);
  const [now, before] = [drain('now'), drain('before')];
  if (now === undefined) return [];
  const { small, large } = jobSizes;
  const megabytes = (sample: JobSample) => sample.megabytes;
  const wall = (sample: JobSample) => sample.wall;
  return [
    verdict('drain: memory for 100,000 records ÷ for 1,000', ratio(now, megabytes), targets.memory),
    ...(before === undefined
      ? []
      : [
          verdict(
            'drain: time for 100,000 records ÷ before',
            medianOf(now, large, wall) / medianOf(before, large, wall),
            targets.time,
          ),
        ]),
  ];

  function ratio(of: JobResult, figure: Figure['of']): number {
    return medianOf(of, large, figure) / medianOf(of, small, figure);
  }
}

/** The tables of a run, in Markdown. */
export function formatJobs(results: readonly JobResult[]): string {
  const sizes = Object.values(jobSizes);
  const columns = results.flatMap((result) => sizes.map((size) => ({ result, size })));
  const nameOf = ({ job, version }: JobResult) => (version === 'now' ? `\`${job}\`` : `\`${job}\` before`);
  const rows = figures.map(({ name, of }) => [
    name,
    ...columns.map(({ result, size }) => formatSpread(samplesOf(result, size).map(of))),
  ]);
  const requests = results.map((result) => {
    const [sample] = samplesOf(result, jobSizes.large);
    const counts = Object.entries(sample?.requests ?? {}).toSorted(([, one], [, other]) => other - one);
    return [nameOf(result), ...[counts.map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`).join(', ')]];
  });
  return [
    table(['', ...columns.map(({ result, size }) => `${nameOf(result)}, ${size.toLocaleString('en-US')}`)], rows),
    table([`Requests for ${jobSizes.large.toLocaleString('en-US')}`, 'Of which'], requests),
    formatVerdicts('Ratio', judgeJobs(results)),
    `The targets are ${formatFigure(targets.memory)} for the memory, and ${formatFigure(targets.time)} for the time against \`--before\`.`,
  ].join('\n\n');
}

/** What a run says, for the page. @param rounds of the short list */
export function jobsSection(results: readonly JobResult[], rounds: number, conditions: RunConditions): string {
  return `## drain and reconcile

\`drain\` walks the platform's list of undelivered webhooks twice: it stores each record, and then marks what it has found stored. \`reconcile\` walks the list of
persons and compares each with what is stored; here nothing differs. The lists come in pages of 20. The platform and AWS are stub servers without delays. Each walk is in a new process. A column \`before\` is \`drain\` of an earlier commit, in the same run. The list of 1,000 was walked ${rounds} times, that of 100,000 once. ${formatConditions(conditions)}

${formatJobs(results)}`;
}
