/** `npm run capacity`: what an environment can take, what gives first, and how a burst passes. */
import { Option, program } from 'commander';
import { table } from 'table';
import * as z from 'zod';
import { regions } from '#infra/cost/price-list.ts';
import { synthesizeTemplates } from '#infra/cost/synthesize-templates.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { reportCapacity } from './capacity-report.ts';
import {
  burstTable,
  type CapacityTable,
  exceededTable,
  limitsTable,
  personsTable,
  spreadTable,
} from './capacity-tables.ts';

program
  .name('npm run capacity --')
  .description(
    'Prints what an environment can take, from its settings, the default quotas of AWS and assumed durations.',
  )
  .addOption(new Option('--region <region>', 'whose quotas and prices').choices([...regions]).default('eu-central-1'))
  .option('--environment <name>', 'whose settings: the name of a file in settings/', 'example')
  .option('--json', 'print JSON, with each second of the bursts', false)
  .parse();

const { region, environment, json } = z
  .object({ region: z.enum(regions), environment: z.string(), json: z.boolean() })
  .parse(program.opts());
const settings = checkSettings(environment, readSettingsFile(settingsDirectory, environment));
const report = reportCapacity({ settings, ...synthesizeTemplates(environment), region });
const print = (text: string) => process.stdout.write(`${text}\n`);
const section = (title: string, { head, rows }: CapacityTable) =>
  print(
    `${title}\n${table([[...head], ...rows.map((row) => [...row])].map((row) => row.map((cell) => cell.replaceAll(/[`*]/g, ''))))}`,
  );

if (json) print(JSON.stringify(report));
else {
  print(
    `Environment ${environment}, region ${region}. Nothing was measured on AWS: docs/capacity.md has the assumptions.\n`,
  );
  section('What a rate needs', limitsTable(report.limits));
  section('What gives first', exceededTable(report.limits));
  section('10,000 webhooks a second for a minute, after an idle hour', burstTable(report));
  section('A million keys of orders over partitions, 10,000 a second', spreadTable(report));
  section('A million persons to be read back', personsTable(report));
}
