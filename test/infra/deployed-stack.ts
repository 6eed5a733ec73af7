import { inject } from 'vitest';
import * as z from 'zod';
import { type Resource, readCloudAssembly, type Template } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { templatesIn } from '#test/infra/stacks/readable-stack.ts';

/** A resource of a synthesized stack, with its logical id. */
export type Deployed = Resource & { readonly id: string };

/** Read once for all test files of a worker: reading and checking takes longer than most tests. No test changes a template. */
let templates: ReturnType<typeof templatesIn> | undefined;

/** The template of a stack of the laptop, as `cdk deploy` would send it. */
export function deployedStack(name: 'data' | 'service'): Template {
  templates ??= templatesIn(readCloudAssembly(inject('assembly')));
  return templates[name];
}

export function resourcesOf({ Resources }: Template, type: string): readonly Deployed[] {
  return Object.entries(Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([id, resource]) => ({ ...resource, id }));
}

/** The only resource of this type with this segment in its construct path. */
export function theResource(template: Template, type: string, segment?: string): Deployed {
  const found = resourcesOf(template, type).filter(
    (resource) => segment === undefined || pathOf(resource).includes(segment),
  );
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`There are ${found.length} ${type} ${segment ?? ''}.`);
  return only;
}

/** The name of the environment that is synthesized, as its functions name it. */
export function deployedEnvironment(): string {
  const [lambda] = resourcesOf(deployedStack('service'), 'AWS::Lambda::Function');
  const variables = z.object({ Environment: z.object({ Variables: z.object({ ENVIRONMENT: z.string() }) }) });
  return variables.parse(lambda?.Properties).Environment.Variables.ENVIRONMENT;
}

/** The construct path of a resource, starting with the stack. */
export function pathOf({ Metadata }: Resource): readonly string[] {
  return (Metadata['aws:cdk:path'] ?? '').split('/');
}
