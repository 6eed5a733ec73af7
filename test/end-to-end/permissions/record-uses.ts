import { relative } from 'node:path';
import { expect, inject } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { requestedPermissions } from '#sandbox/aws/permissions/requested-permissions.ts';
import { type Blueprint, readBlueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { sandboxAccount } from '#sandbox/aws/stacks/identity.ts';
import { record } from './recordings.ts';

/** By their assemblies: reading one takes longer than most AWS calls, and each call of a command needs it. */
const blueprints = new Map<string, Blueprint>();
const recorded = new Set<string>();

/** Reads the stacks that the tests host. Their ARNs do not depend on the address of the AWS APIs. */
export function readTestBlueprint(assembly: string): Blueprint {
  const origin = 'http://127.0.0.1';
  const place = { account: sandboxAccount, region: 'eu-central-1', awsOrigin: origin, apiOrigin: origin };
  const blueprint = blueprints.get(assembly) ?? readBlueprint(readCloudAssembly(assembly), place);
  blueprints.set(assembly, blueprint);
  return blueprint;
}

/** Records which permissions the calls of the functions need, each once per test file. */
export function recordUses({ when, caller, service, operation, input }: AwsCallMoment): void {
  if (when !== 'before' || caller === undefined) return;
  const blueprint = readTestBlueprint(inject('assembly'));
  const testFile = relative(process.cwd(), expect.getState().testPath ?? '');
  for (const permission of requestedPermissions(blueprint, { service, operation, input: input() })) {
    const use = { testFile, caller, ...permission };
    const text = JSON.stringify(use);
    if (recorded.has(text)) continue;
    recorded.add(text);
    record(use);
  }
}
