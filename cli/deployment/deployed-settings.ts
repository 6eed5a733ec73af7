import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { parseJson } from '#shared/parse-json.ts';
import type { Deployment } from './deployment.ts';

/** Settings that the environment of Advance has as JSON. */
type SettingsVariable = 'ONBOARDING_SETTINGS' | 'PLATFORM_PROFILE';

/** The settings as they are deployed; `{}` if the variable is not set. @throws what Lambda answers with */
export async function readDeployedSettings(
  name: SettingsVariable,
  { clients, resources }: Pick<Deployment, 'clients' | 'resources'>,
): Promise<unknown> {
  const FunctionName = (await resources()).idOf('function', 'Advance');
  const { Environment } = await clients.lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  return parseJson(Environment?.Variables?.[name] ?? '{}');
}
