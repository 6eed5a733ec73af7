import { typedKeys } from '#cli/command/typed-keys.ts';
import { deployerPolicy, firstRunPolicy } from './deployment/deployer-policy.ts';
import { executionPolicy, rolesPolicy } from './deployment/execution-policy.ts';
import { permissionsBoundary } from './deployment/permissions-boundary.ts';
import type { Policy, PolicyScope } from './deployment/policy.ts';

/** The policies of a deployment, which are needed before the stacks are there. */
export const deploymentPolicies = {
  boundary: permissionsBoundary,
  'execution-data': (scope) => executionPolicy('data', scope),
  'execution-service': (scope) => executionPolicy('service', scope),
  'execution-roles': rolesPolicy,
  deployer: deployerPolicy,
  'first-run': firstRunPolicy,
} as const satisfies Readonly<Record<string, (scope: PolicyScope) => Policy>>;

export type DeploymentPolicy = keyof typeof deploymentPolicies;

export const deploymentPolicyNames = typedKeys(deploymentPolicies);
