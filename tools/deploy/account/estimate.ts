import { costColumns } from '#cli/cost/cost-table.ts';
import { readCountedUsage } from '#cli/cost/counted-usage.ts';
import { pricesOf, type Region, regions } from '#cli/cost/price-list.ts';
import { readPricedResources } from '#cli/cost/priced-resources.ts';
import { costSettings } from '#cli/cost/synthesize-app.ts';
import { createApp } from '#infra/create-app.ts';
import type { Settings } from '#infra/settings.ts';
import { runHours } from './plan.ts';

const hoursPerMonth = 730;

/** More than a run sends. */
const webhooks = 10_000;

/** What the environment of a run costs, by the prices and the counted usage of `drawbridge cost`. */
export function estimateOf(
  environment: { readonly name: string; readonly settings: Settings },
  { region, directory }: { readonly region: string; readonly directory: string },
): string {
  // No cost depends on the bundles.
  const context = { 'aws:cdk:bundling-stacks': [] };
  const { app, data, service } = createApp(environment, { outdir: directory, context });
  const assembly = app.synth();
  const templates = [data, service].map(({ artifactId }) => assembly.getStackArtifact(artifactId).template);
  const priced: Region = regions.find((one) => one === region) ?? 'eu-central-1';
  const props = {
    ...costSettings(environment.settings),
    resources: readPricedResources(templates),
    usage: readCountedUsage(),
    region: priced,
  };
  const [idle, busy] = costColumns(props, [0, webhooks]).map(({ usd }) => usd);
  const usd = ((idle ?? 0) / hoursPerMonth) * runHours + ((busy ?? 0) - (idle ?? 0));
  return `an estimate: ${usd.toFixed(2)} US dollars for ${runHours} hours and ${webhooks.toLocaleString('en-US')} webhooks, by prices of ${pricesOf} in ${priced}. What fails to be removed costs more.`;
}
