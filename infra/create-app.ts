import { App, type AppProps, Validations } from 'aws-cdk-lib';
import {
  AwsSolutionsChecks,
  HIPAASecurityChecks,
  type NagPack,
  NIST80053R5Checks,
  PCIDSS321Checks,
  ServerlessChecks,
} from 'cdk-nag';
import type { IConstruct } from 'constructs';
import type { DataStack } from './data-stack.ts';
import { allowPlaceholders, Drawbridge } from './drawbridge.ts';
import type { Environment } from './read-settings.ts';
import type { ServiceStack } from './service-stack.ts';

export type Stacks = { readonly data: DataStack; readonly service: ServiceStack };

/** Adds the stacks of an environment to an app. cdk-nag checks each stack when the app is synthesized. */
export function addStacks(app: App, environment: Environment): Stacks {
  const { name: environmentName, settings } = environment;
  // readSettings has checked what is deployed. The other apps are read, and deploy nothing.
  app.node.setContext(allowPlaceholders, true);
  const { data, service } = new Drawbridge(app, 'Drawbridge', { environmentName, settings });
  Validations.of(app).addPlugins(...rulePacks(app));
  return { data, service };
}

/** An app of its own with the stacks of an environment. */
export function createApp(environment: Environment, props: AppProps = {}): Stacks & { readonly app: App } {
  const app = new App({ analyticsReporting: false, ...props });
  return { app, ...addStacks(app, environment) };
}

/** The rules of cdk-nag that every synthesis checks. */
export function rulePacks(root: IConstruct): readonly NagPack[] {
  return [
    new AwsSolutionsChecks(root),
    new ServerlessChecks(root),
    new HIPAASecurityChecks(root),
    new NIST80053R5Checks(root),
    new PCIDSS321Checks(root),
  ];
}
