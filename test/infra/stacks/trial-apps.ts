import { App } from 'aws-cdk-lib';
import { createApp, type Stacks } from '#infra/create-app.ts';
import { allowPlaceholders, Drawbridge } from '#infra/drawbridge.ts';
import { settings } from '#infra/settings.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { everySetting } from '#tools/release/every-setting.ts';
import { type ReadableResource, readable, readStacks, templatesIn } from './readable-stack.ts';

/** Platform URLs that nothing calls. */
export const trialPlatform = { baseUrl: 'https://api.trial.example', authUrl: 'https://auth.trial.example' };

/** A trial asks no operator of a platform. */
export const trialSettings = { platform: trialPlatform, keepStandIns: true };

type Values = Readonly<Record<string, unknown>>;
type TrialApp = Stacks & { readonly app: App };
type TrialResources = Readonly<Record<'data' | 'service', readonly ReadableResource[]>> & {
  /** Of both stacks, with their references as texts. */
  readonly outputs: Values;
};

export type TrialApps = ReturnType<typeof createTrialApps>;

/**
 * Apps of one environment, to read their templates.
 *
 * @param createOutputDirectory creates the output folder of an app, which the caller removes
 */
export function createTrialApps(createOutputDirectory: () => string) {
  /** By their settings and context. */
  const trialApps = new Map<string, TrialApp>();

  const outputOf = (context: Values = {}) => ({
    outdir: createOutputDirectory(),
    context: {
      'aws:cdk:bundling-stacks': [],
      'aws:cdk:enable-path-metadata': true,
      [allowPlaceholders]: true,
      ...context,
    },
  });

  /**
   * The app of one environment with these settings, which all callers share: none changes the app. The app lacks what takes most
   * of the time of a synthesis: the bundles and cdk-nag.
   */
  function createTrialApp(values: Values = {}, context: Values = {}): TrialApp {
    const key = JSON.stringify([values, context]);
    const trialApp = trialApps.get(key) ?? createTrialAppOf('trial', values, context);
    trialApps.set(key, trialApp);
    return trialApp;
  }

  /** An empty app, for the stacks of a partner. */
  function createPartnerApp(context: Values = {}): App {
    return new App({ analyticsReporting: false, ...outputOf(context) });
  }

  /** The same of an environment with this name, and not shared. */
  function createTrialAppOf(environmentName: string, values: Values = {}, context: Values = {}): TrialApp {
    const app = createPartnerApp(context);
    const { data, service } = new Drawbridge(app, 'Drawbridge', { environmentName, settings: settingsOf(values) });
    return { app, data, service };
  }

  /** An app that cdk-nag checks when it is synthesized, and that the caller may change. */
  function createCheckedApp(values: Values = {}): TrialApp {
    return createApp({ name: 'trial', settings: settingsOf(values) }, outputOf());
  }

  /** The resources of both stacks of a trial app. */
  function trialResources(values: Values = {}, context: Values = {}): TrialResources {
    return resourcesOfApp(createTrialApp(values, context));
  }

  /** The templates of both stacks of a trial app, as CloudFormation gets them. */
  function templatesOf(values: Values = {}): readonly unknown[] {
    return createTrialApp(values)
      .app.synth()
      .stacks.map(({ template }): unknown => template);
  }

  /** The types of all resources that a stack can have: with default settings, and with every setting. */
  function typesOfStack(stack: 'data' | 'service'): readonly string[] {
    const resources = [{}, everySetting].flatMap((values) => trialResources(values)[stack]);
    return [...new Set(resources.map(({ Type }) => Type))].toSorted();
  }

  return {
    ...{ createPartnerApp, createTrialApp, createTrialAppOf, createCheckedApp },
    ...{ trialResources, templatesOf, typesOfStack },
  };
}

const settingsOf = (values: Values) => settings.parse({ ...trialSettings, ...values });

/** The resources of both stacks of an app. */
export function resourcesOfApp({ app }: TrialApp): TrialResources {
  const assembly = readCloudAssembly(app.synth().directory);
  const { data, service } = templatesIn(assembly);
  const outputs = [data, service].flatMap((template) =>
    Object.entries(template.Outputs).map(([name, { Value }]) => [name, readable(Value, { template, data })] as const),
  );
  return { ...readStacks(assembly), outputs: Object.fromEntries(outputs) };
}
