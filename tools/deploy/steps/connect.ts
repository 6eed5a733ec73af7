import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { type DeployRun, readOutputs, until } from '#tools/deploy/deploy-run.ts';
import { asFirstRunner } from '#tools/deploy/deployer.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { fireSchedule } from '#tools/deploy/fire-schedule.ts';
import { pageOfCalls, runAndRead, runPage } from '#tools/deploy/run-page.ts';

/** Runs docs/how-to/without-the-command-line.md, which puts the file with the credentials into the secret and deletes the file. */
export async function storeCredentials(deployment: DeployRun): Promise<string> {
  const { PlatformCredentialsArn } = await readOutputs(deployment);
  writeFileSync(join(deployment.directory, 'credentials.json'), JSON.stringify(defaultCredentials));
  const variables = { PLATFORM_CREDENTIALS_ARN: PlatformCredentialsArn };
  return runPage(await asFirstRunner(deployment), pageOfCalls, 'Store the credentials', variables);
}

/** The schedule of the token refresher starts `refresh` by its queue. */
export async function fireTokenRefresh(deployment: DeployRun): Promise<string> {
  const { tokens } = deployment.platform.platform;
  const before = tokens.issued();
  await fireSchedule(deployment, 'TokenRefresherTokenRefresh');
  await until('The schedule of the token refresher has a token fetched', () => tokens.issued() > before);
  return 'token-refresh → queue → refresh → token service';
}

/** The answer of `register`, see docs/reference/api.md. */
const report = z.object({ plan: z.array(z.string()), failed: z.array(z.string()), rotation: z.string() });

/** Plans as the page says, and has a webhook registered for every event type. */
export async function register(deployment: DeployRun): Promise<string> {
  const { aws, platform } = await asFirstRunner(deployment);
  const { RegisterFunction } = await readOutputs(deployment);
  const headings = ['Keep the outputs in variables', 'Plan and apply registrations'];
  const { printed } = await runAndRead(await asFirstRunner(deployment), pageOfCalls, headings);
  const [answer = ''] = /^\{.*"plan".*\}$/m.exec(printed) ?? [];
  const planned = report.parse(JSON.parse(answer || '{}'));
  const { failed } = report.parse(await aws.invoke(RegisterFunction, { mode: 'apply' }));
  if (failed.length > 0) throw new DeploymentError(`Register failed: ${failed.join('; ')}`);
  const missing = platform.platform.registrations.missing();
  if (missing.length > 0)
    throw new DeploymentError(`Not registered: ${missing.map(({ eventType }) => eventType).join(', ')}.`);
  return `planned ${planned.plan.length}, registered ${platform.platform.registrations.list().length}`;
}
