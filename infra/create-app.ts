import { App, type AppProps, Tags, Validations } from 'aws-cdk-lib';
import { version } from '#shared/version.ts';
import { DataStack } from './data-stack.ts';
import { addOutput } from './parts/output.ts';
import { rulePacks } from './parts/rule-packs.ts';
import type { Environment } from './read-settings.ts';
import { ServiceStack } from './service-stack.ts';

export type Stacks = { readonly data: DataStack; readonly service: ServiceStack };

/** Adds the stacks of an environment to an app. cdk-nag checks each stack when the app is synthesized. */
export function addStacks(app: App, environment: Environment): Stacks {
  const { name, settings } = environment;
  const data = new DataStack(app, `drawbridge-${name}-data`, {
    description: `Drawbridge ${version}: the data (tables, secrets, key, event bus)`,
    environment,
  });
  const service = new ServiceStack(app, `drawbridge-${name}-service`, {
    description: `Drawbridge ${version}: the service (API, functions, queues, alarms)`,
    settings,
    data,
  });
  addOutput(service, 'Version', 'The release of Drawbridge that is deployed', version);
  Tags.of(app).add('drawbridge:environment', name);
  Validations.of(app).addPlugins(...rulePacks(app));
  return { data, service };
}

/** An app of its own with the stacks of an environment. */
export function createApp(environment: Environment, props: AppProps = {}): Stacks & { readonly app: App } {
  const app = new App({ analyticsReporting: false, ...props });
  return { app, ...addStacks(app, environment) };
}
