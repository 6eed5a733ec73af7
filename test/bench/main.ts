/** `npm run bench`: measures the functions as they are deployed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError, Option, program } from 'commander';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { benchJobs } from './jobs/job-bench.ts';
import { formatJobs, jobsSection, judgeJobs } from './jobs/job-report.ts';
import { benchLaptop } from './laptop/laptop-bench.ts';
import { formatLaptop, judgeLaptop, laptopSection } from './laptop/laptop-report.ts';
import {
  type PageSection,
  type Part,
  parts,
  peersSection,
  performancePage,
  type RunConditions,
} from './performance-page.ts';
import { benchProfiles } from './profiles/profile-bench.ts';
import { formatProfiles, profilesSection } from './profiles/profile-report.ts';
import { formatMissed, formatResult, judge, type Verdict } from './report.ts';
import { runBench } from './run-bench.ts';
import { benchStarts } from './starts/start-bench.ts';
import { formatStarts, judgeStarts, startsSection } from './starts/start-report.ts';
import { measureUsage } from './usage/measure-usage.ts';
import { formatUsage, judgeUsage, usageSection } from './usage/usage-section.ts';

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('The value must be a whole number.');
  return number;
}

program
  .name('npm run bench --')
  .description(
    'Measures the functions: receive and store beside what a partner would otherwise build, cold starts, walks, and the laptop end to end.',
  )
  .addOption(new Option('--part <name>', 'measure one part alone').choices(parts))
  .option('--rounds <number>', 'how often each peer is measured', positive, 11)
  .option('--calls <number>', 'measured calls of each kind in a round', positive, 100)
  .option('--warm-up <number>', 'calls before the measured ones', positive, 50)
  .option('--before <file>', 'a bundle of drain from an earlier commit, to compare with')
  .option('--check', 'say why each missed target is missed, and end with exit code 1 where there is one', false)
  .option('--save', 'write docs/performance.md and its charts', false)
  .parse();

const { check, save, part, before, ...options } = z
  .object({
    part: z.enum(parts).optional(),
    rounds: z.number(),
    calls: z.number(),
    warmUp: z.number(),
    before: z.string().optional(),
    check: z.boolean(),
    save: z.boolean(),
  })
  .parse(program.opts());

type Measured = {
  /** What the command prints, in Markdown. */
  readonly report: string;
  readonly section: (conditions: RunConditions) => PageSection;
  readonly verdicts: readonly Verdict[];
};

const say = (text: string) => void process.stderr.write(`${text}\n`);
const sayRound = (round: number) => say(`round ${round + 1} of ${options.rounds}`);

const measured: Readonly<Record<Part, (directory: string) => Promise<Measured>>> = {
  peers: async () => {
    const result = await runBench({ ...options, onRound: sayRound });
    return {
      report: formatResult(result),
      section: (conditions) => peersSection(result, options, conditions),
      verdicts: judge(result),
    };
  },
  starts: async (directory) => {
    const result = await benchStarts({ ...options, directory, onRound: sayRound });
    return {
      report: formatStarts(result),
      section: (conditions) => startsSection(result, options.rounds, conditions),
      verdicts: judgeStarts(result),
    };
  },
  profiles: async (folder) => {
    const profiles = await benchProfiles(folder, say);
    return {
      report: formatProfiles(profiles),
      section: (conditions) => ({ text: profilesSection(profiles, conditions), files: [] }),
      verdicts: [],
    };
  },
  jobs: async (directory) => {
    const results = await benchJobs({ directory, rounds: options.rounds, before, onRun: say });
    return {
      report: formatJobs(results),
      section: (conditions) => ({ text: jobsSection(results, options.rounds, conditions), files: [] }),
      verdicts: judgeJobs(results),
    };
  },
  laptop: async (directory) => {
    const rounds = await benchLaptop({ ...options, directory, onRound: sayRound });
    return {
      report: formatLaptop(rounds),
      section: (conditions) => ({ text: laptopSection(rounds, conditions), files: [] }),
      verdicts: judgeLaptop(rounds),
    };
  },
  usage: async (directory) => {
    const usage = await measureUsage({ ...options, directory, onRun: say });
    return {
      report: formatUsage(usage),
      section: (conditions) => ({
        text: usageSection(usage, options.rounds, conditions),
        files: [['infra/cost/measured-usage.json', `${JSON.stringify(usage, null, 2)}\n`]],
      }),
      verdicts: judgeUsage(usage),
    };
  },
};

const load = () => loadavg()[0] ?? Number.NaN;
const [{ model = 'unknown' } = {}] = cpus();
const directory = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
const missed: Verdict[] = [];
let maxLoad = load();
try {
  for (const name of part === undefined ? parts : [part]) {
    const start = load();
    const { report, section, verdicts } = await measured[name](directory);
    process.stdout.write(`${report}\n\n`);
    maxLoad = Math.max(maxLoad, load());
    missed.push(...verdicts.filter(({ isMet }) => !isMet));
    if (save)
      savePart(
        name,
        section({
          machine: `${cpus().length} × ${model}`,
          node: process.version,
          load: { start, end: load() },
        }),
      );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
for (const verdict of missed) say(formatMissed(verdict, maxLoad / cpus().length));
if (check && missed.length > 0) process.exitCode = 1;

function savePart(name: Part, { text, files }: PageSection): void {
  const file = join(repositoryRoot, 'docs/performance.md');
  writeFileSync(file, performancePage(readFileSync(file, 'utf8'), { [name]: text }));
  for (const [path, content] of files) writeFileSync(join(repositoryRoot, path), content);
}
