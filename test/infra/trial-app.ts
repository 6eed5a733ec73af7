import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { inject } from 'vitest';
import { createApp, type Stacks } from '#infra/create-app.ts';
import { Drawbridge } from '#infra/drawbridge.ts';
import { settings } from '#infra/settings.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { type ReadableResource, readableResources } from './readable-stack.ts';

/** Platform URLs that no test calls. */
export const trialPlatform = { baseUrl: 'https://api.trial.example', authUrl: 'https://auth.trial.example' };

type Values = Readonly<Record<string, unknown>>;
type TrialApp = Stacks & { readonly app: App };

/** The output folder of an app. It is deleted when all tests are done. */
export function createOutputDirectory(): string {
  return mkdtempSync(join(inject('scratch'), 'infra-'));
}

/** Of the test files of this worker, by their settings and context. */
const trialApps = new Map<string, TrialApp>();

/**
 * The app of one environment with these settings, which the tests of a worker share: none changes it. It lacks what takes most
 * of the time of a synthesis and has tests of its own: the bundles, which tests of `npm run synth` check, and cdk-nag.
 */
export function createTrialApp(values: Values = {}, context: Values = {}): TrialApp {
  const key = JSON.stringify([values, context]);
  const trialApp = trialApps.get(key) ?? createTrialAppOf('trial', values, context);
  trialApps.set(key, trialApp);
  return trialApp;
}

/** The resources of both stacks of a trial app. */
export function trialResources(
  values: Values = {},
  context: Values = {},
): Readonly<Record<'data' | 'service', readonly ReadableResource[]>> {
  const stacks = readCloudAssembly(createTrialApp(values, context).app.synth().directory);
  const [data, service] = ['data', 'service'].map((name) => stacks.find((stack) => stack.name.endsWith(`-${name}`)));
  if (data === undefined || service === undefined) throw new Error('The app lacks a stack.');
  return {
    data: readableResources({ template: data.template, data: data.template }),
    service: readableResources({ template: service.template, data: data.template }),
  };
}

/** The same of an environment with this name, and not shared. */
export function createTrialAppOf(environmentName: string, values: Values = {}, context: Values = {}): TrialApp {
  const app = new App({ analyticsReporting: false, ...outputOf(context) });
  const { data, service } = new Drawbridge(app, 'Drawbridge', { environmentName, settings: settingsOf(values) });
  return { app, data, service };
}

/** An app that cdk-nag checks when it is synthesized, for one test, which may change it. */
export function createCheckedApp(values: Values = {}): TrialApp {
  return createApp({ name: 'trial', settings: settingsOf(values) }, outputOf());
}

/** No test asks the operator of a platform. */
export const trialSettings = { platform: trialPlatform, keepStandIns: true };

const settingsOf = (values: Values) => settings.parse({ ...trialSettings, ...values });

const outputOf = (context: Values = {}) => ({
  outdir: createOutputDirectory(),
  context: { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true, ...context },
});
