import { expect } from 'vitest';
import * as z from 'zod';
import { type ReadableResource, readableResources } from '#test/infra/stacks/readable-stack.ts';
import { deployedStack } from './deployed-stack.ts';

/** The resources of a stack of the laptop, as `cdk deploy` would send them. */
export function deployedResources(stack: 'data' | 'service'): readonly ReadableResource[] {
  return readableResources({ template: deployedStack(stack), data: deployedStack('data') });
}

/** The values of properties by their paths, such as `Target.Input`. `undefined`: the property is absent. */
export type Expected = Readonly<Record<string, unknown>>;

/** Expects the properties of each resource of a type, or of the one with this name. */
export function expectProperties(resources: readonly ReadableResource[], of: string, expected: Expected): void {
  const found = resources.filter(({ name, Type }) => of === name || of === Type);
  expect(found, of).not.toEqual([]);
  for (const { id, Properties } of found)
    for (const [path, value] of Object.entries(expected))
      expect(valueAt(Properties, path), `${id} ${path}`).toEqual(value);
}

const members = z.record(z.string(), z.unknown());

function valueAt(properties: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => members.safeParse(value).data?.[name], properties);
}
