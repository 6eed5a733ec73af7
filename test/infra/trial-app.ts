import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { inject } from 'vitest';
import { createApp, type Stacks } from '#infra/create-app.ts';
import { Drawbridge } from '#infra/drawbridge.ts';
import { settings } from '#infra/settings.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { everySetting } from '#tools/release/every-setting.ts';
import { type ReadableResource, readable, readableResources } from './readable-stack.ts';

/** Platform URLs that no test calls. */
export const trialPlatform = { baseUrl: 'https://api.trial.example', authUrl: 'https://auth.trial.example' };

type Values = Readonly<Record<string, unknown>>;
type TrialApp = Stacks & { readonly app: App };
type TrialResources = Readonly<Record<'data' | 'service', readonly ReadableResource[]>> & {
  /** Of both stacks, with their references as texts. */
  readonly outputs: Values;
};

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
export function trialResources(values: Values = {}, context: Values = {}): TrialResources {
  return resourcesOfApp(createTrialApp(values, context));
}

/** The resources of both stacks of an app. */
export function resourcesOfApp({ app }: TrialApp): TrialResources {
  const stacks = readCloudAssembly(app.synth().directory);
  const [data, service] = ['data', 'service'].map((name) => stacks.find((stack) => stack.name.endsWith(`-${name}`)));
  if (data === undefined || service === undefined) throw new Error('The app lacks a stack.');
  const outputs = [data, service].flatMap(({ template }) =>
    Object.entries(template.Outputs).map(
      ([name, { Value }]) => [name, readable(Value, { template, data: data.template })] as const,
    ),
  );
  return {
    data: readableResources({ template: data.template, data: data.template }),
    service: readableResources({ template: service.template, data: data.template }),
    outputs: Object.fromEntries(outputs),
  };
}

/** The templates of both stacks of a trial app, as CloudFormation gets them. */
export function templatesOf(values: Values = {}): readonly unknown[] {
  return createTrialApp(values)
    .app.synth()
    .stacks.map(({ template }): unknown => template);
}

/** The types of all resources that a stack can have: with default settings, and with every setting. */
export function typesOfStack(stack: 'data' | 'service'): readonly string[] {
  const resources = [{}, everySetting].flatMap((values) => trialResources(values)[stack]);
  return [...new Set(resources.map(({ Type }) => Type))].toSorted();
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
