import * as z from 'zod/mini';
import type { Finding } from '#cli/doctor/findings.ts';
import {
  evaluateEventTypes,
  evaluateNotFound,
  evaluateStatuses,
  evaluateTimes,
  type Seen,
} from '#cli/doctor/platform/evaluate-answers.ts';
import { type Evaluation, good, mergeProfile, problem, report, unknown } from '#cli/doctor/platform/evaluation.ts';
import { countOf } from '#cli/output/count-of.ts';
import { explainReason } from '#cli/quarantine/explain-reason.ts';
import { placeEvent } from '#shared/entities/place-event.ts';
import { readPage } from '#shared/platform/client/page.ts';
import { placeOf } from '#shared/platform/profile/event-place.ts';
import { type PlatformProfile, platformProfile } from '#shared/platform/profile/profile.ts';
import { compareFields, type FieldReport, type Outcome, renamedFields, unreadableFields } from './compare-fields.ts';
import { readerOf } from './readers.ts';
import {
  type Operation,
  operations,
  type RecordedAnswers,
  type RecordedWebhooks,
  type Recording,
  type Shape,
} from './recording.ts';
import { samplesOf, samplesWithout } from './samples.ts';

export type Comparison = {
  readonly findings: readonly Finding[];
  /** What the setting `platformProfile` should have: its values that differ from the defaults. */
  readonly platformProfile: Readonly<Record<string, unknown>>;
};

type Result = readonly [check: string, evaluation: Evaluation];

/** A place of a recording where times are. */
type Times = Pick<Seen, 'of'> & Pick<FieldReport, 'times'>;

/**
 * Names where a recording differs from the specification and the profile. The readers of Drawbridge get samples of all forms that were
 * recorded: what they do with the samples is what Drawbridge does with the values.
 *
 * @param ownProfile the setting `platformProfile` as the file has it
 */
export function compareRecording(
  recording: Recording,
  {
    profile,
    ownProfile,
  }: { readonly profile: PlatformProfile; readonly ownProfile: Readonly<Record<string, unknown>> },
): Comparison {
  const times: Times[] = [];
  const results: Result[] = operations.flatMap((operation) => compareAnswers(operation, recording, profile, times));
  for (const [eventType, received] of Object.entries(recording.webhooks))
    results.push(...compareWebhooks(eventType, received, profile, times));
  results.push(
    ['event types', evaluateEventTypes(eventTypesIn(recording), profile)],
    ['times', evaluateTimes(times.flatMap(toSeen), profile)],
    ['not found', compareNotFound(recording)],
    ['error codes', listErrorCodes(recording, profile)],
  );
  const changes = results.flatMap(([, { change }]) => (change === undefined ? [] : [change]));
  return {
    findings: results.flatMap(([check, { found }]) => found.map((finding) => ({ check, ...finding }))),
    platformProfile: mergeProfile(ownProfile, changes, platformProfile.parse({})),
  };
}

const again = 'drawbridge platform record --force, once the platform has such an answer';

function compareAnswers(
  operation: Operation,
  recording: Recording,
  profile: PlatformProfile,
  times: Times[],
): Result[] {
  const succeeded = succeededIn(recording, operation);
  if (succeeded === undefined) {
    const statuses = Object.keys(recording.operations[operation] ?? {}).join(', ');
    return [[operation, unknown(statuses === '' ? 'not recorded' : `answers ${statuses} alone`, again)]];
  }
  const { isList, schema, sent, needs, entity } = readerOf(operation, profile);
  const { body } = succeeded;
  if (body === undefined) return [[operation, problem('the answer is no JSON', report)]];
  if (isList && !isPage(operation, body))
    return [[operation, problem('the answer is neither an array nor an object with the array data', report)]];
  const member = isList ? membersIn(body) : body;
  if (member === undefined)
    return [[operation, entity ? unknown('the list has no member', again) : good('the list is empty')]];
  const samples = [...samplesOf(member), ...samplesWithout(member)];
  const fields = compareFields(member, { read: schema, sent });
  times.push({ of: operation, times: fields.times });
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
  return [
    ...describeFields(found).map((evaluation): Result => [operation, evaluation]),
    ...(entity && status ? [compareStatuses(operation, entity, status, profile)] : []),
  ];
}

function succeededIn({ operations: recorded }: Recording, operation: Operation): RecordedAnswers | undefined {
  return Object.entries(recorded[operation] ?? {}).find(([status]) => status.startsWith('2'))?.[1];
}

/** The members of a bare list, or of a page. */
function membersIn(body: Shape | undefined): Shape | undefined {
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

function isThere(shape: Shape | undefined): boolean {
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

function compareStatuses(
  check: string,
  entity: { readonly kind: Parameters<typeof evaluateStatuses>[0]; readonly status: string },
  shape: Shape,
  profile: PlatformProfile,
): Result {
  const words = Object.entries(shape.words ?? {}).flatMap(([word, count]) => Array.from({ length: count }, () => word));
  const total = Object.entries(shape.forms).reduce((sum, [form, count]) => sum + (form === 'null' ? 0 : count), 0);
  // Values that are no words of their own are recorded by their forms alone.
  const unreadable = Array.from({ length: total - words.length }, () => '');
  const members = [...words, ...unreadable].map((word) => ({ [entity.status]: word }));
  return [`${check}: status`, evaluateStatuses(entity.kind, { members, field: entity.status }, profile)];
}

/** What becomes of the webhooks of one event type. */
function compareWebhooks(
  eventType: string,
  { body, notJson, undelivered = 0, stored = 0 }: RecordedWebhooks,
  profile: PlatformProfile,
  times: Times[],
): Result[] {
  // The check of event types names it.
  if (!profile.eventTypes.includes(eventType)) return [];
  if (notJson !== undefined) return [[eventType, explained('NOT_JSON')]];
  const place = placeOf(eventType, profile.places);
  const said = countOf(undelivered + stored, 'body', 'bodies');
  if (typeof place === 'string' || body === undefined)
    return [[eventType, good(`${said}, which Drawbridge stores and publishes`)]];
  const placed = [...samplesOf(body), ...samplesWithout(body)].map((sample) => placeEvent(eventType, sample, profile));
  const faults = placed.flatMap((one) =>
    typeof one === 'object' && 'quarantineReason' in one ? [one.quarantineReason] : [],
  );
  if (faults.length > 0) return [...new Set(faults)].map((fault) => [eventType, explained(fault)]);
  const resources = [...place.wrappers.map((wrapper) => body.fields?.[wrapper]), body];
  const find = (names: readonly string[]) =>
    names
      .flatMap((name) => resources.map((resource) => ({ name, shape: resource?.fields?.[name] })))
      .find(({ shape }) => isThere(shape));
  const [status, modifiedOn] = [find(place.status), find(place.modifiedOn)];
  if (modifiedOn?.shape !== undefined)
    times.push({ of: eventType, times: [{ field: modifiedOn.name, samples: samplesOf(modifiedOn.shape) }] });
  const missing = [...(status ? [] : ['status']), ...(modifiedOn ? [] : ['modifiedOn'])];
  const detail = missing.length === 0 ? said : `${said} without ${missing.join(' and ')}`;
  return [
    [
      eventType,
      missing.length === 0
        ? good(detail)
        : problem(detail, `If a field has it under another name, set platformProfile.places.${eventType}.`),
    ],
    ...(status?.shape === undefined
      ? []
      : [compareStatuses(eventType, { kind: place.kind, status: status.name }, status.shape, profile)]),
  ];
}

function explained(reason: string): Evaluation {
  const { means, fix } = explainReason(reason) ?? { means: reason, fix: report };
  return problem(`${means} Such events are quarantined`, fix);
}

function toSeen({ of, times }: Times): readonly Seen[] {
  return times.map(({ field, samples }) => ({
    of,
    members: samples.map((sample) => ({ [field]: sample })),
    times: [field],
  }));
}

/** The types of webhooks, registered or missing, and of received bodies. */
function eventTypesIn(recording: Recording): readonly unknown[] | undefined {
  const words = (['List webhooks', 'List missing webhooks'] as const).flatMap((operation) => {
    const members = membersIn(succeededIn(recording, operation)?.body);
    return [members?.words, members?.fields?.['eventType']?.words].flatMap((found) => Object.keys(found ?? {}));
  });
  const all = [...words, ...Object.keys(recording.webhooks)];
  return all.length === 0 ? undefined : all;
}

/** The answer to an id that no person has. */
function compareNotFound({ operations: recorded }: Recording): Evaluation {
  const failed = Object.entries(recorded['Get natural person'] ?? {}).filter(([status]) => !status.startsWith('2'));
  const [status, answers] = failed.find(([code]) => code === '404') ?? failed[0] ?? [];
  if (status === undefined) return unknown('not recorded', again);
  const [sample] = answers?.body === undefined ? [] : samplesOf(answers.body);
  const body = Buffer.from(sample === undefined ? '' : JSON.stringify(sample));
  return evaluateNotFound({ status: Number(status), headers: new Headers(), body });
}

/** Section 7 has no list of codes, and one code. */
const codesOfSpecification: readonly string[] = ['VALIDATION_ERROR'];

function listErrorCodes({ operations: recorded, webhooks }: Recording, { places }: PlatformProfile): Evaluation {
  const ofAnswers = Object.values(recorded).flatMap((byStatus) =>
    Object.entries(byStatus ?? {}).flatMap(([status, { body }]) => (status.startsWith('2') ? [] : wordsIn(body, []))),
  );
  const ofWebhooks = Object.entries(webhooks).flatMap(([eventType, { body }]) => {
    const place = placeOf(eventType, places);
    return wordsIn(body, ['notificationType', ...(typeof place === 'string' ? ['status'] : place.status)]);
  });
  const codes = [...new Set([...ofAnswers, ...ofWebhooks])].toSorted();
  if (codes.length === 0) return good('none was recorded');
  const others = codes.filter((code) => !codesOfSpecification.includes(code));
  const detail = others.length === codes.length ? '' : `${codesOfSpecification.join(', ')}; `;
  if (others.length === 0) return good(codes.join(', '));
  return good(
    `${detail}not in the specification: ${others.join(', ')}. Drawbridge keeps the codes of webhooks as reasons, and goes by the statuses of answers`,
  );
}

/** @param except fields whose words are no error codes */
function wordsIn(shape: Shape | undefined, except: readonly string[]): readonly string[] {
  if (shape === undefined) return [];
  const fields = Object.entries(shape.fields ?? {}).filter(([name]) => !except.includes(name));
  const inner = [...fields.map(([, field]) => field), shape.items];
  return [...Object.keys(shape.words ?? {}), ...inner.flatMap((one) => wordsIn(one, except))];
}
