import { App, type AppProps, Tags, Validations } from 'aws-cdk-lib';
import { version } from '#shared/version.ts';
import { DataStack } from './data-stack.ts';
import { addOutput } from './parts/output.ts';
import { rulePacks } from './parts/rule-packs.ts';
import { readSettings } from './read-settings.ts';
import { ServiceStack } from './service-stack.ts';

/**
 * The stacks of the environment that the context names, each checked by cdk-nag when the app is synthesized.
 *
 * @throws {SettingsError} when the context is wrong
 */
export function createApp(props: AppProps = {}): { app: App; data: DataStack; service: ServiceStack } {
  const app = new App({ analyticsReporting: false, ...props });
  const environment = readSettings(app.node);
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
  return { app, data, service };
}
