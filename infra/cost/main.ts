/** `npm run cost`: what an environment costs a month, by volume. */
import { InvalidArgumentError, Option, program } from 'commander';
import * as z from 'zod';
import { describeComparedCost } from './describe-compared-cost.ts';
import { describeCost } from './describe-cost.ts';
import { regions } from './price-list.ts';
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
  .option('--compare', 'compare the cost of a million webhooks with other designs', false)
  .option('--json', 'print JSON, with quantities', false)
  .parse();

const options = z
  .object({
    webhooks: z.number().optional(),
    entities: z.number().optional(),
    region: z.enum(regions),
    environment: z.string(),
    compare: z.boolean(),
    json: z.boolean(),
  })
  .parse(program.opts());
const environment = synthesizeTemplates(options.environment);
const text = options.compare
  ? describeComparedCost(environment, options.region)
  : describeCost({ ...options, environment, isJson: options.json });
process.stdout.write(`${text}\n`);
