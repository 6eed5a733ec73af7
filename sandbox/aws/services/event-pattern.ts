import * as z from 'zod';
import { SandboxError } from '#sandbox/errors.ts';
import { isObject, own } from '#shared/parse-json.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const condition = z.union([
  scalar,
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ suffix: z.string() }),
  z.strictObject({ exists: z.boolean() }),
  z.strictObject({ 'anything-but': z.union([scalar, z.array(scalar)]) }),
]);

type Condition = z.infer<typeof condition>;

export type EventPattern = { readonly [field: string]: EventPattern | readonly Condition[] };

const eventPattern: z.ZodType<EventPattern> = z.lazy(() =>
  z.record(z.string(), z.union([z.array(condition).min(1), eventPattern])),
);

/** @throws {SandboxError} NOT_HOSTED for a filter that the sandbox does not know */
export function readEventPattern(pattern: unknown, path: string): EventPattern {
  const result = eventPattern.safeParse(pattern);
  if (result.success) return result.data;
  throw new SandboxError(
    'NOT_HOSTED',
    `The sandbox does not know all of the event pattern of ${path}: ${JSON.stringify(pattern)}.`,
  );
}

/** Whether EventBridge would send this event to a rule with this pattern. */
export function matchesPattern(pattern: EventPattern, event: unknown): boolean {
  if (Array.isArray(event)) return event.some((item) => matchesPattern(pattern, item));
  return Object.entries(pattern).every(([field, wanted]) => {
    const value = isObject(event) ? own(event, field) : undefined;
    if (!isConditions(wanted)) return matchesPattern(wanted, value);
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return wanted.some((one) => values.some((candidate) => meets(one, candidate)));
  });
}

function isConditions(wanted: EventPattern | readonly Condition[]): wanted is readonly Condition[] {
  return Array.isArray(wanted);
}

function meets(wanted: Condition, value: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if ('exists' in wanted) return (value !== undefined) === wanted.exists;
  if ('prefix' in wanted) return typeof value === 'string' && value.startsWith(wanted.prefix);
  if ('suffix' in wanted) return typeof value === 'string' && value.endsWith(wanted.suffix);
  return value !== undefined && ![wanted['anything-but']].flat().some((excluded) => value === excluded);
}
