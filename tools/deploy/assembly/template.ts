import * as z from 'zod';

/** A resource of a CloudFormation template. */
export const resource = z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).optional() });

/** A CloudFormation template, as far as the deployment reads it. */
export const template = z.looseObject({ Resources: z.record(z.string(), resource) });

export type Template = z.infer<typeof template>;

export type Resource = z.infer<typeof resource>;

/** The logical ids of a type's resources. */
export function idsOfType({ Resources }: Template, type: string): readonly string[] {
  return Object.entries(Resources).flatMap(([id, { Type }]) => (Type === type ? [id] : []));
}

const object = z.record(z.string(), z.unknown());

/** Rebuilds a JSON value from its leaves to its root, each object replaced. */
export function mapObjects(value: unknown, replace: (one: Readonly<Record<string, unknown>>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapObjects(item, replace));
  const { success, data } = object.safeParse(value);
  if (!success) return value;
  return replace(Object.fromEntries(Object.entries(data).map(([key, item]) => [key, mapObjects(item, replace)])));
}
