/** `npm run measure:lists`: prints what pages of each list cost over a million rows, and how webhooks spread over partitions. */
import { InvalidArgumentError, program } from 'commander';
import * as z from 'zod';
import { measuredLists, measurePages } from './measured-lists.ts';
import { partitionLoads } from './partition-load.ts';

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('The value must be a whole number.');
  return number;
}

program
  .name('npm run measure:lists --')
  .description('Measures pages of each list over many rows in memory, and the write units of each partition.')
  .option('--rows <number>', 'rows of each list', positive, 1_000_000)
  .option('--limit <number>', 'rows of a page', positive, 50)
  .option('--webhooks <number>', 'webhooks a second', positive, 10_000)
  .parse();

const { rows, limit, webhooks } = z
  .object({ rows: z.number(), limit: z.number(), webhooks: z.number() })
  .parse(program.opts());
const print = (cells: readonly (string | number)[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);

print(['List', 'Page', 'Rows', 'Queries', 'Read units', 'Milliseconds']);
print(['---', '---', '---', '---', '---', '---']);
for (const list of measuredLists(rows, limit))
  for (const page of await measurePages(list, [1, 10, 100, 1_000]))
    print([`\`${list.name}\``, page.page, page.rows, page.queries, page.readUnits, page.milliseconds.toFixed(1)]);

print(['Load in one second', 'Index', 'Partitions', 'Write units', 'Most of one partition', 'Share']);
print(['---', '---', '---', '---', '---', '---']);
for (const { load, index, partitions, units, most } of partitionLoads(webhooks))
  print([`${webhooks} ${load}`, `\`${index}\``, partitions, units, most, `${((100 * most) / units).toFixed(1)} %`]);
