/** `npm run cost`: what an environment costs a month, by volume. */
import { InvalidArgumentError, Option, program } from 'commander';
import * as z from 'zod';
import { assumptionRows, assumptions } from './assumptions.ts';
import { costColumns, costRows, volumeName, volumes } from './cost-table.ts';
import { readCountedUsage } from './counted-usage.ts';
import { prices, pricesOf, regions } from './price-list.ts';
import { readDeployment } from './read-deployment.ts';
import { synthesizeTemplates } from './synthesize-templates.ts';

const wholeNumber = (of: string) => (text: string) => {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new InvalidArgumentError(`The value must be a whole number of ${of}.`);
  return number;
};

program
  .name('npm run cost --')
  .description('Prints what an environment costs a month in US dollars, from its synthesized stacks.')
  .option(
    '--webhooks <number>',
    'webhooks a month; idle, 10,000, 1 million and 100 million unless given',
    wholeNumber('webhooks a month'),
  )
  .option(
    '--entities <number>',
    'entities in the table; those of a year of webhooks unless given',
    wholeNumber('entities'),
  )
  .addOption(new Option('--region <region>', 'whose prices').choices([...regions]).default('eu-central-1'))
  .option('--environment <name>', 'whose settings: the name of a file in settings/', 'example')
  .option('--json', 'print JSON, with quantities', false)
  .parse();

const options = z
  .object({
    webhooks: z.number().optional(),
    entities: z.number().optional(),
    region: z.enum(regions),
    environment: z.string(),
    json: z.boolean(),
  })
  .parse(program.opts());
const { region } = options;
const { name, templates, eventRetentionDays, lists } = synthesizeTemplates(options.environment);
const deployment = readDeployment(templates);
const columns = costColumns({
  deployment,
  usage: readCountedUsage(),
  eventRetentionDays,
  lists,
  region,
  entities: options.entities,
  volumes: options.webhooks === undefined ? volumes : [options.webhooks],
});
const print = (text: string) => process.stdout.write(`${text}\n`);

if (options.json)
  print(JSON.stringify({ environment: name, region, pricesOf, assumptions, columns, notPriced: deployment.notPriced }));
else {
  const head = ['US dollars a month', ...columns.map(({ webhooks }) => volumeName(webhooks))];
  const rows = [head, ...costRows(columns)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  print(`Environment ${name}, region ${region}, webhooks a month. Shares from 10 % are marked.\n`);
  for (const row of rows)
    print(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('   '),
    );
  const unverified = Object.values(prices).filter(({ usd }) => usd[region][1] === 'memory').length;
  print(
    `\nPrices of ${pricesOf}. ${unverified} of ${Object.keys(prices).length} were compared with no page: infra/cost/price-list.ts.`,
  );
  print('Scheduled runs find nothing to do here, and reconcile reads all entities each time: set them by --entities.');
  print('Without taxes, free tiers, discounts and data transfer. Assumed:');
  for (const [, value, meaning] of assumptionRows) print(`- ${value.toLocaleString('en-US')}: ${meaning}`);
  for (const [type, count] of Object.entries(deployment.notPriced)) print(`Not priced: ${type} (${count}).`);
}
