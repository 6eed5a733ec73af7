import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { costOf, costRows, describePerMillion, volumeName } from '#cli/cost/cost-table.ts';
import { regions } from '#cli/cost/price-list.ts';
import { pricedRegion } from '#cli/cost/priced-region.ts';
import { synthesizeApp } from '#cli/cost/synthesize-app.ts';
import { settingsNameOf } from '#cli/deployment/deployment.ts';
import { defineRead, shareRead } from './define-read.ts';

/** In milliseconds. A synthesis takes seconds; who changes the settings wants their cost. */
const keepStacks = 60_000;

const costQuery = z.object({
  webhooks: z
    .string()
    .regex(/^\d{1,12}$/, 'must be a whole number')
    .transform(Number)
    .optional(),
  region: z.enum(regions).optional(),
});

/** What the environment costs a month, as `cost` says it. */
export function createCostReads({ deployment, deps }: Pick<ConsoleContext, 'deployment' | 'deps'>) {
  const synthesize = shareRead(
    () => synthesizeApp(undefined, settingsNameOf(deployment.environment), deps.environment),
    keepStacks,
    deps.now,
  );

  return {
    cost: defineRead(costQuery, async ({ webhooks, region }) => {
      const { columns, perMillionWebhooks, assumptions, ...cost } = costOf({
        environment: await synthesize(),
        region: region ?? pricedRegion(deployment.region),
        webhooks,
        entities: undefined,
      });
      return {
        ...cost,
        volumes: columns.map((column) => volumeName(column.webhooks)),
        rows: costRows(columns),
        million: describePerMillion(perMillionWebhooks),
        assumptions: Object.values(assumptions),
      };
    }),
  };
}
