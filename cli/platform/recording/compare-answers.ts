import { evaluateStatusCounts } from '#cli/doctor/platform/evaluate-answers.ts';
import { type Evaluation, good, problem, type Result, report, unknown } from '#cli/doctor/platform/evaluation.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { compareEnvelope } from './compare-envelope.ts';
import {
  compareFields,
  type Difference,
  type FieldReport,
  namesNotRecorded,
  type Outcome,
  renamedFields,
  unreadableFields,
} from './compare-fields.ts';
import type { Form } from './forms.ts';
import { type Need, readerOf } from './readers.ts';
import type { Operation, RecordedAnswers, Recording, Shape } from './recording.ts';
import { formsIn, samplesOf, samplesOfForm, samplesWithout } from './samples.ts';

/** The field of a time, and samples of how it is written. */
export type RecordedTime = { readonly of: string; readonly field: string; readonly samples: readonly unknown[] };

export type Compared = { readonly results: readonly Result[]; readonly times: readonly RecordedTime[] };

const askForName =
  'Ask the operator whether a field has it under another name. If so, report that to the maintainers of Drawbridge: no setting covers it.';

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
  const envelope = isList ? compareEnvelope(operation, body) : [];
  const ofEnvelope = envelope.map((evaluation): Result => [operation, evaluation]);
  const member = isList ? membersIn(body) : body;
  if (member === undefined) {
    const isBroken = ofEnvelope.some(([, { found }]) => found.some(({ result }) => result === 'problem'));
    const empty = entity ? unknown('the list has no member', again) : good('the list is empty');
    return { results: [...ofEnvelope, ...(isBroken ? [] : [[operation, empty] as const])], times: [] };
  }
  const samples = [...samplesOf(member), ...samplesWithout(member)];
  const fields = compareFields(member, { read: schema, sent });
  const { person, address } = profile.additionalFields;
  const isDeclared = (at: string) => Object.hasOwn({ ...person, ...address }, at.slice(at.lastIndexOf('.') + 1));
  const found = {
    ...fields,
    unlisted: [
      ...fields.unlisted.filter((at) => !isDeclared(at)),
      ...(member.otherNames === undefined ? [] : [namesNotRecorded(member.otherNames)]),
    ],
    unreadable: unreadableFields(samples, schema),
    renamed: renamedFields(samples, schema),
    needed: neededIn(member, needs, entity?.status),
  };
  const status = entity && member.fields?.[entity.status];
  return {
    results: [
      ...ofEnvelope,
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

export function isThere(shape: Shape | undefined): boolean {
  return shape !== undefined && Object.keys(shape.forms).some((form) => form !== 'null');
}

type Needed = Need & {
  readonly isAbsent: boolean;
  /** Values that are read, and cannot be used. */
  readonly unusable: readonly { readonly field: string; readonly form: Form }[];
  /** Those of the fields that some answers have, and others have not. */
  readonly sometimes: readonly string[];
};

/** What of the needs the answers have. A need that begins with a later status than any recorded one is left out. */
function neededIn(member: Shape, needs: readonly Need[], statusField: string | undefined): readonly Needed[] {
  const words = Object.keys((statusField && member.fields?.[statusField]?.words) || {});
  return needs
    .filter(({ after }) => after === undefined || words.some((word) => word !== after))
    .map((need) => {
      const fields = need.names.flatMap((name) => {
        const shape = member.fields?.[name];
        return shape !== undefined && isThere(shape) ? [{ name, shape }] : [];
      });
      return {
        ...need,
        isAbsent: fields.length === 0,
        unusable: fields.flatMap(({ name, shape }) =>
          formsIn(shape)
            .filter((form) => samplesOfForm(shape, form).some((sample) => need.isUsable?.(name, sample) === false))
            .map((form) => ({ field: name, form })),
        ),
        sometimes: fields.flatMap(({ name, shape }) =>
          (shape.absent ?? shape.forms.null) === undefined ? [] : [name],
        ),
      };
    });
}

type Fields = FieldReport & {
  readonly unreadable: readonly string[];
  readonly renamed: readonly string[];
  readonly needed: readonly Needed[];
};

const meanings: readonly (readonly [Outcome, string])[] = [
  ['read', 'written otherwise, and read as specified'],
  ['kept', 'written otherwise, and kept as they are'],
  ['ignored', 'not readable, and left out, because nothing needs them'],
];

function describeFields({ differences, unlisted, unreadable, renamed, needed }: Fields): Evaluation[] {
  const listOf = (some: readonly { readonly field: string; readonly form: Form }[]) =>
    some.map(({ field, form }) => `${field} (${form})`).join(', ');
  const unusable = needed.flatMap((one) => one.unusable);
  const isUnusable = ({ field, form }: Difference) => unusable.some((one) => one.field === field && one.form === form);
  const ignored = differences.filter(
    (one) =>
      !isUnusable(one) &&
      (one.outcome === 'not usable' ||
        (one.outcome === 'ignored' && needed.some(({ names }) => names.includes(one.field)))),
  );
  const broken = [...unusable, ...ignored];
  const others = differences.filter((one) => !isUnusable(one) && !ignored.includes(one));
  const namesOf = (some: readonly Need[]) => some.flatMap(({ names }) => names).join(', ');
  const absent = needed.filter(({ isAbsent }) => isAbsent);
  const missing = absent.filter(({ whenAbsent }) => whenAbsent === undefined);
  const sometimes = needed.flatMap((one) => (one.whenAbsent === undefined ? one.sometimes : []));
  const unknownNames = unlisted.filter((name) => name !== 'id' || renamed.length === 0);
  const evaluations = [
    ...(unreadable.length > 0 ? [problem(`cannot be read: ${unreadable.join(', ')}`, report)] : []),
    ...(missing.length > 0 ? [problem(`Drawbridge needs ${namesOf(missing)}, and no answer has it`, report)] : []),
    ...absent.flatMap(({ names, whenAbsent }) =>
      whenAbsent === undefined
        ? []
        : [unknown(`no answer has ${names.join(', ')}: without it ${whenAbsent}`, askForName)],
    ),
    ...(broken.length > 0 ? [problem(`Drawbridge needs, and cannot use, ${listOf(broken)}`, report)] : []),
    ...(sometimes.length > 0 ? [good(`sometimes absent: ${sometimes.join(', ')}`)] : []),
    ...meanings.flatMap(([outcome, meaning]) => {
      const some = others.filter((one) => one.outcome === outcome);
      return some.length === 0 ? [] : [good(`${meaning}: ${listOf(some)}`)];
    }),
    ...(renamed.length > 0 ? [good(`under another name, and read: ${renamed.join(', ')}`)] : []),
    ...(unknownNames.length > 0 ? [good(`not in the specification, and not used: ${unknownNames.join(', ')}`)] : []),
  ];
  return evaluations.length === 0 ? [good('as specified')] : evaluations;
}

/** The words of a status that neither the tables nor the profile have. */
export function compareStatuses(
  check: string,
  entity: { readonly kind: EntityKind; readonly status: string },
  shape: Shape,
  profile: PlatformProfile,
): Result {
  // The words of a verification are recorded in capitals. In small letters fewer of them have a meaning.
  const isAnyCase = entity.kind === 'identification-verification' && shape.forms.word !== undefined;
  const words = Object.entries(shape.words ?? {}).map(([word, count]) => ({
    status: isAnyCase ? word.toLowerCase() : word,
    count,
  }));
  const total = Object.entries(shape.forms).reduce((sum, [form, count]) => sum + (form === 'null' ? 0 : count), 0);
  // Of values that are not words, only the forms are recorded.
  const others = total - words.reduce((sum, { count }) => sum + count, 0);
  const counts = [...words, ...(others > 0 ? [{ status: '', count: others }] : [])];
  return [`${check}: status`, evaluateStatusCounts(entity.kind, { counts, field: entity.status }, profile)];
}
