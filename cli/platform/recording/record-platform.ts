import { checkPlatform, otherPaths, persons, verifications } from '#cli/doctor/platform/check-platform.ts';
import { pageOf } from '#cli/doctor/platform/evaluate-list.ts';
import { fieldOf } from '#cli/doctor/platform/evaluation.ts';
import type { PlatformAccess } from '#cli/doctor/platform/platform-access.ts';
import {
  createPlatformReads,
  isAnswer,
  type Observed,
  type PlatformReads,
  type PlatformReadsDeps,
} from '#cli/doctor/platform/platform-reads.ts';
import { isObject } from '#shared/entities/object-fields.ts';
import { platformCode } from '#shared/entities/reason-codes.ts';
import { parseJsonExactly } from '#shared/parse-json.ts';
import { type HttpAnswer, isSuccess, parseBody } from '#shared/platform/client/http-answer.ts';
import { contentOf } from '#shared/platform/client/page-content.ts';
import { platformId } from '#shared/platform/fields/fields.ts';
import { toWord } from '#shared/platform/fields/received.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { requestorIdOf } from '#shared/platform/profile/requestors.ts';
import { version } from '#shared/version.ts';
import { wordsOfAnswers, wordsOfErrors, wordsOfWebhook } from './kept-words.ts';
import { listedNames } from './readers.ts';
import {
  type contentTypes,
  type Operation,
  operations,
  type RecordedAnswers,
  type RecordedWebhooks,
  type Recording,
  recordingVersion,
} from './recording.ts';
import { type NamedFields, shapeOf, wordsOfTexts } from './shape.ts';

/** The body of a webhook that was received. */
export type ReceivedBody = {
  readonly eventType: string;
  readonly body: string;
  readonly from: 'undelivered' | 'stored';
};

export type RecordOptions = {
  readonly environment: string;
  /** Those of the deployment; undefined where they are not to be recorded. */
  readonly readStored?: ((profile: PlatformProfile) => Promise<readonly ReceivedBody[]>) | undefined;
};

/** An answer, or why there is none. Stays in memory. */
type Seen = { readonly operation: Operation; readonly requestorId: string | undefined; readonly observed: Observed };

/**
 * Asks what `doctor --platform` asks, and for one person, one verification and one webhook of the lists. Keeps the shapes of the answers, and of
 * the bodies of webhooks.
 */
export async function recordPlatform(
  access: PlatformAccess,
  { environment, readStored }: RecordOptions,
  deps: PlatformReadsDeps & { readonly now: () => Date },
): Promise<Recording> {
  const { profile } = access;
  const seen: Seen[] = [];
  const reads = watchReads(createPlatformReads(access, deps), profile, (one) => seen.push(one));
  await checkPlatform(access, deps, reads);
  const notFound = reads.hasToken() ? await readOnes(access, reads, seen) : [];
  const received = [...undeliveredBodies(seen), ...((await readStored?.(profile)) ?? [])];
  const bodies = received.map((one) => ({ ...one, json: parseJsonExactly(one.body) }));
  const answers = seen.flatMap(({ operation, observed }) =>
    isAnswer(observed) ? [{ operation, answer: observed, json: parseBody(observed) }] : [],
  );
  const names = listedNames(profile);
  const texts = wordsOfTexts([...answers, ...bodies].map(({ json }) => json));
  const named: NamedFields = { isListed: (name) => names.has(name), isInTexts: (word) => texts.has(word) };
  const recorded = new Map(
    operations.map((operation) => [operation, answers.filter((one) => one.operation === operation)]),
  );
  const asked = [...recorded].filter(([, { length }]) => length > 0);
  return {
    recordingVersion,
    release: version,
    environment,
    recordedOn: deps.now().toISOString(),
    operations: Object.fromEntries(
      asked.map(([operation, of]) => [operation, recordAnswers(operation, of, profile, named)]),
    ),
    webhooks: recordWebhooks(bodies, profile, named),
    notRecorded: [
      ...missedOf(seen),
      ...notFound,
      ...(readStored === undefined ? ['webhooks that the deployment has stored: --events records them'] : []),
      ...(bodies.length === 0 ? ['bodies of webhooks: none was found'] : []),
    ],
  };
}

/** The same reads, each of which is seen. */
function watchReads(reads: PlatformReads, profile: PlatformProfile, onSeen: (seen: Seen) => void): PlatformReads {
  return {
    ...reads,
    requestToken: async (path) => {
      const observed = await reads.requestToken(path);
      onSeen({ operation: 'Get Token', requestorId: undefined, observed });
      return observed;
    },
    get: async (path, query, requestorId) => {
      const observed = await reads.get(path, query, requestorId);
      onSeen({ operation: operationOf(path, profile), requestorId, observed });
      return observed;
    },
  };
}

function operationOf(path: string, { webhookPaths }: PlatformProfile): Operation {
  if (path === persons) return 'Get natural persons';
  if (path.startsWith(`${persons}/`)) return 'Get natural person';
  if (path === verifications) return 'Get Identification Verifications';
  if (path.startsWith(`${verifications}/`)) return 'Get Identification Verification';
  if ([webhookPaths.undelivered, ...otherPaths.undelivered].includes(path)) return 'List undelivered webhooks';
  if ([webhookPaths.missing, ...otherPaths.missing].includes(path)) return 'List missing webhooks';
  return path === webhookPaths.webhooks ? 'List webhooks' : 'Get webhook';
}

/** Reads one member of each list by itself. @returns what could not be read */
async function readOnes(
  access: PlatformAccess,
  reads: PlatformReads,
  seen: readonly Seen[],
): Promise<readonly string[]> {
  const { profile } = access;
  const { requestors, webhookPaths } = profile;
  const idIn = (member: unknown, name: string) =>
    platformId.safeParse(fieldOf(member, name) ?? fieldOf(member, 'id')).data;
  const ones: readonly (readonly [
    Operation,
    Operation,
    (member: unknown) => readonly [string, string | undefined] | undefined,
  ])[] = [
    [
      'Get natural person',
      'Get natural persons',
      (member) => {
        const id = idIn(member, 'naturalPersonId');
        return id === undefined ? undefined : [`${persons}/${id}`, requestorIdOf(requestors.naturalPerson, id)];
      },
    ],
    [
      'Get Identification Verification',
      'Get Identification Verifications',
      (member) => {
        const id = idIn(member, 'identificationVerificationId');
        const person = platformId.safeParse(fieldOf(member, 'naturalPersonId')).data;
        const requestor = requestors.verifications ?? access.requestor ?? 'none';
        return id === undefined ? undefined : [`${verifications}/${id}`, requestorIdOf(requestor, person)];
      },
    ],
    [
      'Get webhook',
      'List webhooks',
      (member) => {
        const type = toWord(fieldOf(member, 'eventType'), () => true);
        return platformCode.safeParse(type).success
          ? [`${webhookPaths.webhooks}/${type}`, requestorIdOf(requestors.webhooks)]
          : undefined;
      },
    ],
  ];
  const missing: string[] = [];
  for (const [one, list, find] of ones) {
    const page = seen.find(({ operation, observed }) => operation === list && (membersOf(observed)?.length ?? 0) > 0);
    const found = find(membersOf(page?.observed)?.[0]);
    if (found === undefined) {
      missing.push(`${one}: ${list} has no member with an id`);
      continue;
    }
    const [path, requestorId] = found;
    const answer = await reads.get(path, {}, requestorId);
    const isOther = page?.requestorId !== requestorId;
    if (isOther && isAnswer(answer) && !isSuccess(answer)) await reads.get(path, {}, page?.requestorId);
  }
  return missing;
}

function membersOf(observed: Observed | undefined): readonly unknown[] | undefined {
  return pageOf(observed)?.members;
}

function undeliveredBodies(seen: readonly Seen[]): readonly ReceivedBody[] {
  const members = seen.flatMap(({ operation, observed }) =>
    operation === 'List undelivered webhooks' ? (membersOf(observed) ?? []) : [],
  );
  // Pages of different sizes have the same records.
  const bodies = new Map<string, ReceivedBody>();
  for (const member of members) {
    const eventType = toWord(fieldOf(fieldOf(member, 'webhook'), 'eventType'), () => true);
    const body = fieldOf(member, 'body');
    if (typeof eventType === 'string' && typeof body === 'string')
      bodies.set(`${eventType} ${body}`, { eventType, body, from: 'undelivered' });
  }
  return [...bodies.values()];
}

type Answered = { readonly answer: HttpAnswer; readonly json: unknown };

function recordAnswers(
  operation: Operation,
  answered: readonly Answered[],
  profile: PlatformProfile,
  named: NamedFields,
): Record<string, RecordedAnswers> {
  const byStatus = Map.groupBy(answered, ({ answer }) => String(answer.status));
  return Object.fromEntries(
    [...byStatus].map(([status, answers]) => {
      const bodies = withoutRepeated(answers.flatMap(({ json }) => (json === undefined ? [] : [json])));
      const words = status.startsWith('2') ? wordsOfAnswers(operation, profile) : wordsOfErrors;
      const types = new Set(answers.map(({ answer }) => contentTypeOf(answer)));
      const body = bodies.length === 0 ? {} : { body: shapeOf(bodies, words, named) };
      return [status, { answers: answers.length, contentTypes: [...types].toSorted(), ...body }];
    }),
  );
}

/** Several reads of one list have the same members: each counts once. */
function withoutRepeated(bodies: readonly unknown[]): readonly unknown[] {
  const seen = new Set<string>();
  const isNew = (member: unknown) => {
    const { size } = seen;
    return seen.add(contentOf([member])).size > size;
  };
  return bodies.map((body) => {
    if (Array.isArray(body)) return body.filter(isNew);
    const members = fieldOf(body, 'data');
    return isObject(body) && Array.isArray(members) ? { ...body, data: members.filter(isNew) } : body;
  });
}

function contentTypeOf({ headers }: HttpAnswer): (typeof contentTypes)[number] {
  const type = headers.get('content-type')?.toLowerCase();
  if (type === undefined) return 'none';
  return (['json', 'html', 'xml', 'text'] as const).find((one) => type.includes(one)) ?? 'other';
}

function recordWebhooks(
  bodies: readonly (ReceivedBody & { readonly json: unknown })[],
  profile: PlatformProfile,
  named: NamedFields,
): Record<string, RecordedWebhooks> {
  const byType = Map.groupBy(
    bodies.filter(({ eventType }) => platformCode.safeParse(eventType).success),
    ({ eventType }) => eventType,
  );
  return Object.fromEntries(
    [...byType]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([eventType, received]) => {
        const values = received.flatMap(({ json }) => (json === undefined ? [] : [json]));
        const counts = {
          undelivered: received.filter(({ from }) => from === 'undelivered').length,
          stored: received.filter(({ from }) => from === 'stored').length,
          notJson: received.length - values.length,
        };
        const body = values.length === 0 ? {} : { body: shapeOf(values, wordsOfWebhook(eventType, profile), named) };
        return [eventType, { ...withoutZeros(counts), ...body }];
      }),
  );
}

function withoutZeros(counts: Readonly<Record<'undelivered' | 'stored' | 'notJson', number>>) {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** Operations without any answer of success. */
function missedOf(seen: readonly Seen[]): readonly string[] {
  return operations.flatMap((operation) => {
    const observed = seen.flatMap((one) => (one.operation === operation ? [one.observed] : []));
    if (observed.length === 0 || observed.some((one) => isAnswer(one) && isSuccess(one))) return [];
    const reasons = new Set(observed.map((one) => (isAnswer(one) ? `answered ${one.status}` : one.missed)));
    return [`${operation}: ${[...reasons].join(', ')}`];
  });
}
