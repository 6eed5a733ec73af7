import { type Command, Option } from 'commander';
import * as z from 'zod';
import { appHelp } from '#cli/command/app-help.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { settingsNameOf } from '#cli/deployment/deployment.ts';
import { count } from '#sandbox/terminal/command-line.ts';
import { describeCost } from './cost-table.ts';
import { pricedRegion, usualRegion } from './priced-region.ts';
import { synthesizeApp } from './synthesize-app.ts';

const options = z.object({
  env: z.string(),
  json: z.boolean(),
  region: z.string().optional(),
  app: z.string().optional(),
  webhooks: z.number().optional(),
  entities: z.number().optional(),
});

/** Adds `cost`: what an environment costs a month. */
export function addCostCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('cost')
    .description(
      'Prints what an environment costs a month in US dollars, by volume. Uses the prices of --region, else of the setting region, else of eu-central-1.',
    )
    .option('--app <folder>', appHelp)
    .option('--webhooks <number>', 'webhooks a month; idle, 10,000, 1 million and 100 million unless given', count)
    .addOption(
      new Option('--entities <number>', 'entities in the table; those of a year of webhooks unless given').argParser(
        count,
      ),
    )
    .action(async () => {
      const given = options.parse(command.optsWithGlobals());
      const { json: isJson, app, webhooks, entities } = given;
      const ofOption = given.region === undefined ? undefined : pricedRegion(given.region);
      const name = settingsNameOf(given.env);
      const environment = await synthesizeApp(app, name, deps.environment);
      const region = ofOption ?? pricedRegion(environment.region ?? usualRegion);
      deps.stdout(`${describeCost({ environment, region, webhooks, entities, isJson })}\n`);
    });
  documentCommand(command, {
    examples: ['drawbridge cost --env production --webhooks 1000000'],
    json: '`environment`, `region`, `pricesOf`, `assumptions`, `columns` (a volume each, with quantities), `perMillionWebhooks` (what a million webhooks add) and `notPriced`',
  });
}
