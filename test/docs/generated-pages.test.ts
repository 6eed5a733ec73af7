import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unsafeExecutionPolicy } from '#cli/policy/deployment/execution-policy.ts';
import { deploymentPolicies, deploymentPolicyNames } from '#cli/policy/deployment-policies.ts';
import { alarmsPage } from '#infra/parts/alarms.ts';
import { programForTests } from '#test/cli/program-for-tests.ts';
import { writeCliPage } from '#test/cli/write-cli-page.ts';
import { dashboardWidgets } from '#test/infra/monitoring/dashboard-body.ts';
import { deployedResources } from '#test/infra/readable-stack.ts';
import { writeAlarms } from '#test/infra/reference/write-alarms.ts';
import { writeCapacity } from '#test/infra/reference/write-capacity.ts';
import { writeCost } from '#test/infra/reference/write-cost.ts';
import { writeDashboard } from '#test/infra/reference/write-dashboard.ts';
import { writeLogQueries } from '#test/infra/reference/write-log-queries.ts';
import { writeMetrics } from '#test/infra/reference/write-metrics.ts';
import { writePermissions } from '#test/infra/reference/write-permissions.ts';
import { writeSettings } from '#test/infra/reference/write-settings.ts';
import { writeSettingsSchema } from '#test/infra/reference/write-settings-schema.ts';
import { writeSettingsType } from '#test/infra/reference/write-settings-type.ts';
import { createTrialApp, trialResources, typesOfStack } from '#test/infra/trial-app.ts';
import { writeOpenApi } from '#test/openapi/write-openapi.ts';
import { writeEventSchemas } from '#test/shared/bus/event-schemas.ts';
import { pagesCommand } from './generated.ts';
import { root } from './markdown-pages.ts';
import { writeApiPage } from './write-api-page.ts';
import { writeEventsPage } from './write-events-page.ts';
import { writeLogMessages } from './write-log-messages.ts';
import { writeProblems } from './write-problems.ts';
import { writePromises } from './write-promises.ts';

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

/** With the alarms that need a setting. */
const withBackups = { backup: { retentionDays: 40 } };
const scope = { partition: 'aws', account: '111122223333', environment: 'production' } as const;
const policies = {
  ...Object.fromEntries(deploymentPolicyNames.map((name) => [name, () => json(deploymentPolicies[name](scope))])),
  // Those of 0.2.0.
  'unsafe-execution-data': () => json(unsafeExecutionPolicy(typesOfStack('data'))),
  'unsafe-execution-service': () => json(unsafeExecutionPolicy(typesOfStack('service'))),
};

/** Each page that is written from code, from the root of the repository. */
const pages: Readonly<Record<string, () => string>> = {
  [alarmsPage]: () =>
    writeAlarms(createTrialApp(withBackups).service.alarms.declared, trialResources(withBackups).service),
  'docs/capacity.md': writeCapacity,
  'docs/promises.md': writePromises,
  'docs/reference/api.md': () => writeApiPage(readFileSync(join(root, 'docs/reference/api.md'), 'utf8')),
  'docs/reference/cli.md': () => writeCliPage(programForTests()),
  'docs/reference/cost.md': writeCost,
  'docs/reference/dashboard.md': () => writeDashboard(dashboardWidgets()),
  'docs/reference/events.md': () => writeEventsPage(writeEventSchemas()),
  'docs/reference/log-messages.md': writeLogMessages,
  'docs/reference/log-queries.md': writeLogQueries,
  'docs/reference/metrics.md': () => writeMetrics(createTrialApp().service),
  'docs/reference/openapi.json': () => json(writeOpenApi()),
  'docs/reference/permissions.md': () =>
    writePermissions({ data: deployedResources('data'), service: deployedResources('service') }),
  'docs/reference/problems.md': writeProblems,
  'docs/reference/settings.md': writeSettings,
  'infra/drawbridge-settings.ts': writeSettingsType,
  'settings/settings.schema.json': writeSettingsSchema,
  ...Object.fromEntries(
    Object.entries(policies).map(([name, write]) => [`docs/reference/deployment/${name}.json`, write]),
  ),
};

it.each(Object.entries(pages))(`writes %s as the code says: run ${pagesCommand}`, async (path, write) => {
  await expect(write()).toMatchFileSnapshot(join(root, path));
});
