/** `npm run bench`: measures `receive` and `store` beside what a partner would otherwise build. */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { InvalidArgumentError, program } from 'commander';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { performancePage } from './performance-page.ts';
import { formatResult, judge } from './report.ts';
import { runBench } from './run-bench.ts';

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('The value must be a whole number.');
  return number;
}

program
  .name('npm run bench --')
  .description('Measures receive and store beside middy with Powertools, Hono, Express and a bare handler.')
  .option('--rounds <number>', 'how often each peer is measured', positive, 11)
  .option('--calls <number>', 'measured calls of each kind in a round', positive, 100)
  .option('--warm-up <number>', 'calls before the measured ones', positive, 50)
  .option('--check', 'end with exit code 1 where a target is missed', false)
  .option('--save', 'write docs/performance.md and its charts', false)
  .parse();

const { check, save, ...options } = z
  .object({ rounds: z.number(), calls: z.number(), warmUp: z.number(), check: z.boolean(), save: z.boolean() })
  .parse(program.opts());

const [loadAtStart = Number.NaN] = loadavg();
const result = await runBench({
  ...options,
  onRound: (round) => void process.stderr.write(`round ${round + 1} of ${options.rounds}\n`),
});
process.stdout.write(`${formatResult(result)}\n`);
if (save) {
  const [{ model = 'unknown' } = {}] = cpus();
  const { page, charts } = performancePage(result, {
    ...options,
    machine: `${cpus().length} × ${model}`,
    node: process.version,
    load: { start: loadAtStart, end: loadavg()[0] ?? Number.NaN },
  });
  writeFileSync(join(repositoryRoot, 'docs/performance.md'), page);
  for (const [name, svg] of charts) writeFileSync(join(repositoryRoot, 'docs/images', name), svg);
}
const missed = judge(result).filter(({ isMet }) => !isMet);
for (const { what, value, target } of missed)
  process.stderr.write(`missed: ${what} is ${value.toFixed(2)}, and the target is ${target}\n`);
if (check && missed.length > 0) process.exitCode = 1;
