import * as z from 'zod';
import { countOf } from '#cli/output/count-of.ts';
import { isObject } from '#shared/parse-json.ts';
import { platformId, uuid } from '#shared/platform/fields/fields.ts';
import { fieldsOf, memberOf } from './expected-fields.ts';
import type { Form } from './forms.ts';
import type { Shape } from './recording.ts';
import { formsIn, samplesOf, samplesOfForm } from './samples.ts';

type Schema = z.core.$ZodType;

/** What Drawbridge does with a field that is written otherwise than the specification says. */
export type Outcome =
  /** Reads it as if it were written as specified. */
  | 'read'
  /** Keeps the value as it came. */
  | 'kept'
  /** Leaves the field out, as if it were absent. */
  | 'ignored'
  /** Reads an id that no call can have in its path. */
  | 'not usable';

export type Difference = { readonly field: string; readonly form: Form; readonly outcome: Outcome };

export type FieldReport = {
  readonly differences: readonly Difference[];
  /** Fields that neither the specification nor the profile lists. */
  readonly unlisted: readonly string[];
  /** Fields that are times, with the samples of them. */
  readonly times: readonly { readonly field: string; readonly samples: readonly unknown[] }[];
};

type Schemas = { readonly read: Schema | undefined; readonly sent: Schema | undefined };

/** Compares each field with the schema by which Drawbridge reads it, and with the one by which the field is sent. */
export function compareFields(shape: Shape, schemas: Schemas, path = ''): FieldReport {
  const [read, sent] = [fieldsOf(schemas.read), fieldsOf(schemas.sent)];
  const reports = Object.entries(shape.fields ?? {}).map(([name, field]) => {
    const own = { read: read.get(name), sent: sent.get(name) };
    const at = path === '' ? name : `${path}.${name}`;
    return own.read === undefined && own.sent === undefined
      ? { differences: [], unlisted: [at], times: [] }
      : compareField(field, own, at);
  });
  return merge(reports);
}

function compareField(shape: Shape, schemas: Schemas, field: string): FieldReport {
  const [member, sentMember] = [memberOf(schemas.read), memberOf(schemas.sent)];
  const hasFields = fieldsOf(schemas.read).size > 0;
  if (isTime(schemas.read)) return { differences: [], unlisted: [], times: [{ field, samples: samplesOf(shape) }] };
  const reports = formsIn(shape).map((form): FieldReport => {
    if (form === 'object' && hasFields) return compareFields(shape, schemas, field);
    if (form === 'array' && member !== undefined)
      return shape.items === undefined
        ? merge([])
        : compareField(shape.items, { read: member, sent: sentMember }, field);
    const outcomes = new Set(
      samplesOfForm(shape, form).map((sample) => outcomeOf(sample, schemas, !field.includes('.'))),
    );
    return {
      ...merge([]),
      differences: [...outcomes].flatMap((outcome) => (outcome ? [{ field, form, outcome }] : [])),
    };
  });
  return merge(reports);
}

/**
 * A value that cannot be read at all is not a difference: it fails the whole answer.
 *
 * @param isOwn whether the field is one of the resource itself
 * @returns undefined if the value is as specified, or null
 */
function outcomeOf(sample: unknown, { read, sent }: Schemas, isOwn: boolean): Outcome | undefined {
  if (sample === null || read === undefined) return undefined;
  const { success, data } = z.safeParse(read, sample);
  if (!success) return undefined;
  if (data === undefined || data === null) return 'ignored';
  // Those further in are ids that no call takes.
  if (isId(read) && isOwn && !platformId.safeParse(data).success) return 'not usable';
  if (JSON.stringify(data) !== JSON.stringify(sample)) return 'read';
  const specified = isId(read) ? uuid : sent;
  return specified === undefined || z.safeParse(specified, sample).success ? undefined : 'kept';
}

/** Times are evaluated together, by the settings that they have. */
function isTime(read: Schema | undefined): boolean {
  return read !== undefined && z.safeParse(read, '2026-01-02 03:04:05Z').data === '2026-01-02T03:04:05Z';
}

/** Only ids are read from whole numbers and from no other numbers. */
function isId(read: Schema): boolean {
  return z.safeParse(read, 7).data === '7' && z.safeParse(read, 1.5).data === undefined;
}

/** What of these samples fails the answer, or the member of a list: the fields at fault. */
export function unreadableFields(samples: readonly unknown[], schema: Schema): readonly string[] {
  const fields = new Set<string>();
  for (const sample of samples)
    for (const { path } of z.safeParse(schema, sample).error?.issues ?? []) fields.add(path.join('.') || 'the body');
  return [...fields];
}

/** Fields that are there under another name: such as naturalPersonId, for which the platform writes id. */
export function renamedFields(samples: readonly unknown[], schema: Schema): readonly string[] {
  const names = samples.flatMap((sample) => {
    const { data } = z.safeParse(schema, sample);
    return isObject(data) && isObject(sample)
      ? Object.keys(data).filter((name) => data[name] !== undefined && sample[name] === undefined)
      : [];
  });
  return [...new Set(names)];
}

/** Of names that may be data. */
export function namesNotRecorded(otherNames: number): string {
  return `${countOf(otherNames, 'name that is', 'names that are')} not recorded`;
}

function merge(reports: readonly FieldReport[]): FieldReport {
  return {
    differences: reports.flatMap(({ differences }) => differences),
    unlisted: reports.flatMap(({ unlisted }) => unlisted),
    times: reports.flatMap(({ times }) => times),
  };
}
