import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unsafeExecutionPolicy } from '#cli/policy/deployment/execution-policy.ts';
import { deploymentPolicies, deploymentPolicyNames } from '#cli/policy/deployment-policies.ts';
import { alarmsPage } from '#infra/parts/alarms.ts';
import type { ReadableResource } from '#test/infra/stacks/readable-stack.ts';
import type { TrialApps } from '#test/infra/stacks/trial-apps.ts';
import { writeApiPage } from './api/write-api-page.ts';
import { writeOpenApi } from './api/write-openapi.ts';
import { writeProblems } from './api/write-problems.ts';
import { writeEventSchemas } from './bus/event-reference.ts';
import { writeAsyncApi } from './bus/write-asyncapi.ts';
import { writeEventsPage } from './bus/write-events-page.ts';
import { root } from './markdown-pages.ts';
import { writeConstruct } from './settings/write-construct.ts';
import { writeSettings } from './settings/write-settings.ts';
import { writeSettingsSchema } from './settings/write-settings-schema.ts';
import { writeAlarms } from './stacks/write-alarms.ts';
import { writeFunctions } from './stacks/write-functions.ts';
import { writePermissions } from './stacks/write-permissions.ts';
import { writeQuarantine } from './write-quarantine.ts';

/** What pages are written from, beside the code. */
export type PageSources = {
  /** The stacks of the laptop, as `cdk deploy` would send them. */
  readonly stacks: Readonly<Record<'data' | 'service', readonly ReadableResource[]>>;
  readonly trialApps: TrialApps;
};

/** Each committed page that is written from code, by its path from the root of the repository. */
export function generatedPages({ stacks, trialApps }: PageSources): Readonly<Record<string, () => string>> {
  const { createTrialApp, trialResources, typesOfStack } = trialApps;
  const policies = {
    ...Object.fromEntries(deploymentPolicyNames.map((name) => [name, () => json(deploymentPolicies[name](scope))])),
    // Those of 0.2.0.
    'unsafe-execution-data': () => json(unsafeExecutionPolicy(typesOfStack('data'))),
    'unsafe-execution-service': () => json(unsafeExecutionPolicy(typesOfStack('service'))),
  };
  return {
    [alarmsPage]: () =>
      writeAlarms(createTrialApp(withBackups).service.alarms.declared, trialResources(withBackups).service),
    'docs/explanation/architecture.md': () =>
      writeFunctions(readFileSync(join(root, 'docs/explanation/architecture.md'), 'utf8'), stacks.service),
    'docs/reference/api.md': () =>
      writeApiPage(readFileSync(join(root, 'docs/reference/api.md'), 'utf8'), stacks.service),
    'docs/reference/asyncapi.json': () => json(writeAsyncApi()),
    'docs/reference/construct.md': writeConstruct,
    'docs/reference/events.md': () => writeEventsPage(writeEventSchemas()),
    'docs/reference/openapi.json': () => json(writeOpenApi()),
    'docs/reference/permissions.md': () => writePermissions(stacks),
    'docs/reference/problems.md': writeProblems,
    'docs/reference/quarantine.md': writeQuarantine,
    'docs/reference/settings.md': writeSettings,
    'settings/settings.schema.json': writeSettingsSchema,
    ...Object.fromEntries(
      Object.entries(policies).map(([name, write]) => [`docs/reference/deployment/${name}.json`, write]),
    ),
  };
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

/** With the alarms that need a setting. */
const withBackups = { backup: { retentionDays: 40 } };
const scope = { partition: 'aws', account: '111122223333', environment: 'production' } as const;
