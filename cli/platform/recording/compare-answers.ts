import * as z from 'zod/mini';
import { evaluateStatuses } from '#cli/doctor/platform/evaluate-answers.ts';
import { type Evaluation, good, problem, report, unknown } from '#cli/doctor/platform/evaluation.ts';
import { readPage } from '#shared/platform/client/page.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { compareFields, type FieldReport, type Outcome, renamedFields, unreadableFields } from './compare-fields.ts';
import { readerOf } from './readers.ts';
import type { Operation, RecordedAnswers, Recording, Shape } from './recording.ts';
import { samplesOf, samplesWithout } from './samples.ts';

export type Result = readonly [check: string, evaluation: Evaluation];

/** The field of a time, and samples of how it is written. */
export type RecordedTime = { readonly of: string; readonly field: string; readonly samples: readonly unknown[] };

export type Compared = { readonly results: readonly Result[]; readonly times: readonly RecordedTime[] };

/** What an operator does about an answer that is not in a recording. */
export const again = 'drawbridge platform record --force, once the platform has such an answer';

/** Compares the answers to an operation with what Drawbridge reads of them. */
export function compareAnswers(operation: Operation, recording: Recording, profile: PlatformProfile): Compared {
  const succeeded = succeededIn(recording, operation);
  if (succeeded === undefined) {
    const statuses = Object.keys(recording.operations[operation] ?? {}).join(', ');
    return one(operation, unknown(statuses === '' ? 'not recorded' : `answers only ${statuses}`, again));
  }
  const { isList, schema, sent, needs, entity } = readerOf(operation, profile);
  const { body } = succeeded;
  if (body === undefined) return one(operation, problem('the answer is not JSON', report));
  if (isList && !isPage(operation, body))
    return one(operation, problem('the answer is neither an array nor an object with the array data', report));
  const member = isList ? membersIn(body) : body;
  if (member === undefined)
    return one(operation, entity ? unknown('the list has no member', again) : good('the list is empty'));
  const samples = [...samplesOf(member), ...samplesWithout(member)];
  const fields = compareFields(member, { read: schema, sent });
  const { person, address } = profile.additionalFields;
  const isDeclared = (at: string) => Object.hasOwn({ ...person, ...address }, at.slice(at.lastIndexOf('.') + 1));
  const found = {
    ...fields,
    unlisted: fields.unlisted.filter((at) => !isDeclared(at)),
    unreadable: unreadableFields(samples, schema),
    renamed: renamedFields(samples, schema),
    needed: needs.map((name) => ({ name, shape: member.fields?.[name] })),
  };
  const status = entity && member.fields?.[entity.status];
  return {
    results: [
      ...describeFields(found).map((evaluation): Result => [operation, evaluation]),
      ...(entity && status ? [compareStatuses(operation, entity, status, profile)] : []),
    ],
    times: fields.times.map((field) => ({ of: operation, ...field })),
  };
}

function one(check: string, evaluation: Evaluation): Compared {
  return { results: [[check, evaluation]], times: [] };
}

export function succeededIn({ operations: recorded }: Recording, operation: Operation): RecordedAnswers | undefined {
  return Object.entries(recorded[operation] ?? {}).find(([status]) => status.startsWith('2'))?.[1];
}

/** The members of a bare list, or of a page. */
export function membersIn(body: Shape | undefined): Shape | undefined {
  return body?.items ?? body?.fields?.['data']?.items;
}

/** Whether the client of Drawbridge takes the answer for a page of a list. */
function isPage(operation: Operation, body: Shape): boolean {
  return samplesOf(body).every((sample) => {
    try {
      readPage(z.unknown(), { operation, method: 'GET', path: '/' }, { body: Buffer.from(JSON.stringify(sample)) });
      return true;
    } catch {
      return false;
    }
  });
}

export function isThere(shape: Shape | undefined): boolean {
  return shape !== undefined && Object.keys(shape.forms).some((form) => form !== 'null');
}

type Fields = FieldReport & {
  readonly unreadable: readonly string[];
  readonly renamed: readonly string[];
  readonly needed: readonly { readonly name: string; readonly shape: Shape | undefined }[];
};

const meanings: readonly (readonly [Outcome, string])[] = [
  ['read', 'written otherwise, and read as specified'],
  ['kept', 'written otherwise, and kept as they are'],
  ['ignored', 'not readable, and left out, because nothing needs them'],
];

function describeFields({ differences, unlisted, unreadable, renamed, needed }: Fields): Evaluation[] {
  const namesOf = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name).join(', ');
  const listOf = (some: typeof differences) => some.map(({ field, form }) => `${field} (${form})`).join(', ');
  const broken = differences.filter(
    ({ field, outcome }) =>
      outcome === 'not usable' || (outcome === 'ignored' && needed.some(({ name }) => name === field)),
  );
  const missing = needed.filter(({ shape }) => !isThere(shape));
  const sometimes = needed.filter(({ shape }) => isThere(shape) && (shape?.absent ?? shape?.forms.null) !== undefined);
  const others = unlisted.filter((name) => name !== 'id' || renamed.length === 0);
  const evaluations = [
    ...(unreadable.length > 0 ? [problem(`cannot be read: ${unreadable.join(', ')}`, report)] : []),
    ...(missing.length > 0 ? [problem(`Drawbridge needs ${namesOf(missing)}, and no answer has it`, report)] : []),
    ...(broken.length > 0 ? [problem(`Drawbridge needs, and cannot use, ${listOf(broken)}`, report)] : []),
    ...(sometimes.length > 0 ? [good(`sometimes absent: ${namesOf(sometimes)}`)] : []),
    ...meanings.flatMap(([outcome, meaning]) => {
      const some = differences.filter((one) => one.outcome === outcome && !broken.includes(one));
      return some.length === 0 ? [] : [good(`${meaning}: ${listOf(some)}`)];
    }),
    ...(renamed.length > 0 ? [good(`under another name, and read: ${renamed.join(', ')}`)] : []),
    ...(others.length > 0 ? [good(`not in the specification, and not used: ${others.join(', ')}`)] : []),
  ];
  return evaluations.length === 0 ? [good('as specified')] : evaluations;
}

/** The words of a status that neither the tables nor the profile have. */
export function compareStatuses(
  check: string,
  entity: { readonly kind: Parameters<typeof evaluateStatuses>[0]; readonly status: string },
  shape: Shape,
  profile: PlatformProfile,
): Result {
  const words = Object.entries(shape.words ?? {}).flatMap(([word, count]) => Array.from({ length: count }, () => word));
  const total = Object.entries(shape.forms).reduce((sum, [form, count]) => sum + (form === 'null' ? 0 : count), 0);
  // Of values that are no words, only the forms are recorded.
  const unreadable = Array.from({ length: total - words.length }, () => '');
  const members = [...words, ...unreadable].map((word) => ({ [entity.status]: word }));
  return [`${check}: status`, evaluateStatuses(entity.kind, { members, field: entity.status }, profile)];
}
