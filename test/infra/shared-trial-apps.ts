import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createTrialApps } from '#test/infra/stacks/trial-apps.ts';

/** The output folder of an app. It is deleted when all tests are done. */
export function createOutputDirectory(): string {
  return mkdtempSync(join(inject('scratch'), 'infra-'));
}

/** The test files of a worker share the apps. cdk-nag and the bundles have tests of their own. */
export const trialApps = createTrialApps(createOutputDirectory);

export const { createPartnerApp, createTrialApp, createTrialAppOf, createCheckedApp } = trialApps;
export const { trialResources, templatesOf, typesOfStack } = trialApps;
