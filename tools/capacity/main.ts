/** What an environment can take, and what gives first. */
import { Option, program } from 'commander';
import { table } from 'table';
import * as z from 'zod';
import { regions } from '#cli/cost/price-list.ts';
import { readPricedResources } from '#cli/cost/priced-resources.ts';
import { synthesizeApp } from '#cli/cost/synthesize-app.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { type CapacityTable, capacityTables } from './capacity-tables.ts';

program
  .name('node tools/capacity/main.ts')
  .description(
    'Prints what an environment can take and what that costs, from its stacks, the default quotas of AWS and assumed durations.',
  )
  .addOption(new Option('--region <region>', 'whose quotas').choices([...regions]).default('eu-central-1'))
  .option('--environment <name>', 'whose settings: the name of a file in settings/', 'example')
  .parse();

const { region, environment } = z.object({ region: z.enum(regions), environment: z.string() }).parse(program.opts());
const settings = checkSettings(environment, readSettingsFile(settingsDirectory, environment));
const { templates } = await synthesizeApp(undefined, environment, process.env);
const tables = capacityTables({ settings, region, resources: readPricedResources(templates) });
const print = (text: string) => process.stdout.write(`${text}\n`);
const section = (title: string, { head, rows }: CapacityTable) =>
  print(`${title}\n${table([head, ...rows].map((row) => row.map((cell) => cell.replaceAll(/[`*]/g, ''))))}`);

print(
  `Environment ${environment}, region ${region}. Nothing was measured on AWS: npm run docs writes the assumptions to docs/built/capacity.md.\n`,
);
section('What breaks first', tables.first);
section('What a rate needs', tables.limits);
section('What a rate costs', tables.cost);
section('An outage', tables.outage);
section('Writes of a second over partition keys', tables.partitions);
section('Webhooks a second of a list, in 95 of 100 placements of its lanes', tables.lanes);
section('A million persons to be read back', tables.persons);
section('A year at 100 webhooks a second: what reconcile asks for', tables.reconcileYear);
