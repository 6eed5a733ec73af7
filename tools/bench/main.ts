/** `npm run bench`: compares `receive` and `store` with what a partner would otherwise build. */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Option, program } from 'commander';
import * as z from 'zod';
import { count } from '#sandbox/terminal/command-line.ts';
import { benchPeers } from './measure-peers.ts';
import { formatPeers } from './report.ts';

const parts = ['receive', 'store'] as const;

program
  .name('npm run bench --')
  .description('Compares receive and store with what a partner would otherwise build. Prints Markdown.')
  .addOption(new Option('--part <name>', 'measure only one part').choices(parts))
  .option('--rounds <number>', 'how often each peer is measured', count, 11)
  .option('--calls <number>', 'measured calls of each kind in a round', count, 100)
  .option('--warm-up <number>', 'calls before the measured ones', count, 50)
  .parse();

const { part, ...options } = z
  .object({ part: z.enum(parts).optional(), rounds: z.number(), calls: z.number(), warmUp: z.number() })
  .parse(program.opts());

const onRound = (round: number) => void process.stderr.write(`round ${round + 1} of ${options.rounds}\n`);
const load = () => (loadavg()[0] ?? Number.NaN).toFixed(1);
const [{ model = 'unknown' } = {}] = cpus();
const directory = mkdtempSync(join(tmpdir(), 'drawbridge-bench-'));
try {
  for (const of of part === undefined ? parts : [part]) {
    const start = load();
    const measured = formatPeers(await benchPeers({ ...options, of, directory, onRound }));
    const machine = `${cpus().length} × ${model}, Node ${process.version}`;
    process.stdout.write(
      `### ${of}\n\n${options.rounds} ${options.rounds === 1 ? 'round' : 'rounds'} on ${machine}. The load average was ${start} at the start and ${load()} at the end.\n\n${measured}\n\n`,
    );
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
