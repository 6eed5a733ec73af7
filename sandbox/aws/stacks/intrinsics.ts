import * as z from 'zod';
import { SandboxError } from '#sandbox/errors.ts';

/** What intrinsic functions of a template can refer to. Each gives undefined for what there is not. */
export type References = {
  /** `Ref` of a resource or of a pseudo parameter such as AWS::Region. */
  readonly ref: (name: string) => unknown;
  /** `Fn::GetAtt`. */
  readonly attribute: (logicalId: string, attribute: string) => unknown;
  /** `Fn::ImportValue`. */
  readonly exported: (name: string) => unknown;
};

const noValue = Symbol('AWS::NoValue');

/**
 * Gives a part of a template with its intrinsic functions replaced by what they stand for.
 *
 * @throws {SandboxError} NOT_HOSTED for a function, or a reference, that the sandbox does not know
 */
export function resolveIntrinsics(part: unknown, references: References): unknown {
  const resolved = resolvePart(part, references);
  return resolved === noValue ? undefined : resolved;
}

function resolvePart(part: unknown, references: References): unknown {
  if (Array.isArray(part)) return part.map((item) => resolvePart(item, references)).filter((item) => item !== noValue);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && isIntrinsic(only[0])) return call(only[0], only[1], references);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, resolvePart(value, references)]).filter(([, value]) => value !== noValue),
  );
}

function isIntrinsic(key: string): boolean {
  return key === 'Ref' || key === 'Condition' || key.startsWith('Fn::');
}

const text = z.string();
const join = z.tuple([text, z.array(z.unknown())]);
const getAtt = z.tuple([text, text]);
const select = z.tuple([z.coerce.number(), z.array(z.unknown())]);
const split = z.tuple([text, text]);
const sub = z.union([
  text.transform((template): [string, Record<string, unknown>] => [template, {}]),
  z.tuple([text, z.record(text, z.unknown())]),
]);

function call(name: string, argument: unknown, references: References): unknown {
  if (name === 'Ref' && argument === 'AWS::NoValue') return noValue;
  if (name === 'Ref') return known(references.ref(read(text, name, argument)), name, argument);
  if (name === 'Fn::GetAtt') return known(references.attribute(...read(getAtt, name, argument)), name, argument);
  const resolved = resolvePart(argument, references);
  switch (name) {
    case 'Fn::ImportValue':
      return known(references.exported(read(text, name, resolved)), name, argument);
    case 'Fn::Join': {
      const [separator, parts] = read(join, name, resolved);
      return parts.join(separator);
    }
    case 'Fn::Select': {
      const [index, items] = read(select, name, resolved);
      return known(items[index], name, argument);
    }
    case 'Fn::Split': {
      const [separator, whole] = read(split, name, resolved);
      return whole.split(separator);
    }
    case 'Fn::Sub':
      return substitute(read(sub, name, resolved), references);
    default:
      throw new SandboxError('NOT_HOSTED', `The sandbox does not know the intrinsic function ${name}.`);
  }
}

function read<Schema extends z.ZodType>(schema: Schema, name: string, argument: unknown): z.output<Schema> {
  const result = schema.safeParse(argument);
  if (result.success) return result.data;
  throw new SandboxError('NOT_HOSTED', `The sandbox does not know ${name} of ${JSON.stringify(argument)}.`);
}

function substitute([template, variables]: z.output<typeof sub>, references: References): string {
  return template.replace(/\$\{(!?)([^}]+)\}/g, (placeholder, literal: string, name: string) => {
    if (literal !== '') return `$\{${name}}`;
    if (Object.hasOwn(variables, name)) return String(variables[name]);
    const [logicalId = '', attribute] = name.split('.', 2);
    const value = attribute === undefined ? references.ref(logicalId) : references.attribute(logicalId, attribute);
    return String(known(value, 'Fn::Sub', placeholder));
  });
}

function known(value: unknown, name: string, argument: unknown): unknown {
  if (value !== undefined) return value;
  throw new SandboxError(
    'NOT_HOSTED',
    `The sandbox does not know what ${name} of ${JSON.stringify(argument)} stands for.`,
  );
}
