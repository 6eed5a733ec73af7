import * as z from 'zod';
import type { Resource, readCloudAssembly, Template } from '#sandbox/aws/stacks/cloud-assembly.ts';

/** A resource by the name of its construct. Each reference is a text: `<Key.Arn>`, `<AWS::AccountId>`. */
export type ReadableResource = Resource & { readonly id: string; readonly name: string };

/** Of the service stack an import is read as what the data stack exports. */
type Stacks = { readonly template: Template; readonly data: Template };

export function readableResources({ template, data }: Stacks): readonly ReadableResource[] {
  return Object.entries(template.Resources).map(([id, resource]) => ({
    ...resource,
    id,
    name: nameIn(template, id),
    Properties: readObject(resource.Properties, { template, data }),
  }));
}

type Assembly = ReturnType<typeof readCloudAssembly>;

/** The templates of both stacks of an environment. @throws if the assembly lacks a stack */
export function templatesIn(assembly: Assembly): Readonly<Record<'data' | 'service', Template>> {
  const templateOf = (name: string) => {
    const stack = assembly.find((candidate) => candidate.name.endsWith(`-${name}`));
    if (stack === undefined) throw new Error(`The assembly has no ${name} stack.`);
    return stack.template;
  };
  return { data: templateOf('data'), service: templateOf('service') };
}

/** The resources of both stacks of an environment. @throws if the assembly lacks a stack */
export function readStacks(assembly: Assembly) {
  const { data, service } = templatesIn(assembly);
  return {
    data: readableResources({ template: data, data }),
    service: readableResources({ template: service, data }),
  };
}

/** The path of a construct below its stack: `WebhookIngest/Store` is a function, `WebhookIngest/Store/Role` its role. */
function nameIn({ Resources }: Template, id: string): string {
  const segments = (Resources[id]?.Metadata['aws:cdk:path'] ?? `/${id}`).split('/').slice(1);
  while (/^(?:Resource|Function)$/.test(segments.at(-1) ?? '')) segments.pop();
  return segments.join('/');
}

const attribute = z.tuple([z.string(), z.string()]);
const join = z.tuple([z.string(), z.array(z.unknown())]);
const select = z.tuple([z.number(), z.object({ 'Fn::Split': z.tuple([z.string(), z.unknown()]) })]);

const intrinsics: Readonly<Record<string, (argument: unknown, stacks: Stacks) => unknown>> = {
  Ref: (id, { template }) => `<${nameIn(template, String(id))}>`,
  'Fn::GetAtt': (argument, { template }) => {
    const [id, name] = attribute.parse(argument);
    return `<${nameIn(template, id)}.${name}>`;
  },
  'Fn::Join': (argument, stacks) => {
    const [separator, parts] = join.parse(argument);
    return parts.map((part) => readable(part, stacks)).join(separator);
  },
  'Fn::Select': (argument, stacks) => {
    const [index, { 'Fn::Split': split }] = select.parse(argument);
    return `<part ${index} of ${readable(split[1], stacks)}>`;
  },
  'Fn::ImportValue': (name, { data }) => {
    const output = Object.values(data.Outputs).find(({ Export }) => Export?.Name === name);
    if (output === undefined) throw new Error(`The data stack does not export ${name}.`);
    return readable(output.Value, { template: data, data });
  },
};

/** A value of the template with its references as texts. */
export function readable(value: unknown, stacks: Stacks): unknown {
  if (Array.isArray(value)) return value.map((one) => readable(one, stacks));
  if (typeof value !== 'object' || value === null) return value;
  const [[name = '', argument] = [], ...others] = Object.entries(value);
  const read = others.length === 0 ? intrinsics[name] : undefined;
  return read === undefined ? readObject(value, stacks) : read(argument, stacks);
}

function readObject(value: object, stacks: Stacks): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, readable(member, stacks)]));
}
