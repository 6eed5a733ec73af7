import { fieldOf } from '#cli/doctor/platform/evaluation.ts';
import type { PlatformAccess } from '#cli/doctor/platform/platform-access.ts';
import { isAnswer, type PlatformReadsDeps } from '#cli/doctor/platform/platform-reads.ts';
import { countOf } from '#cli/output/count-of.ts';
import { platformCode } from '#shared/entities/reason-codes.ts';
import { isObject, parseJsonExactly } from '#shared/parse-json.ts';
import { contentOf } from '#shared/platform/client/cursor-trail.ts';
import { type PlatformAnswer, parseBody } from '#shared/platform/client/http.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { version } from '#shared/version.ts';
import { type NamedFields, nameFields } from './field-names.ts';
import { keptEventType, wordsOfAnswers, wordsOfErrors, wordsOfWebhook } from './kept-words.ts';
import { membersOf, observePlatform, type Seen } from './observe-platform.ts';
import { knownWords, listedNames } from './readers.ts';
import {
  cappedCount,
  type contentTypes,
  type Operation,
  operations,
  type RecordedAnswers,
  type RecordedWebhooks,
  type Recording,
  recordingVersion,
} from './recording.ts';
import { shapeOf } from './shape.ts';

/** The body of a webhook that was received. */
export type ReceivedBody = {
  readonly eventType: string;
  readonly body: string;
  readonly from: 'undelivered' | 'stored';
};

export type RecordOptions = {
  readonly environment: string;
  /** Those of the deployment; undefined if they are not to be recorded. */
  readonly readStored?: ((profile: PlatformProfile) => Promise<readonly ReceivedBody[]>) | undefined;
};

/** Keeps the shapes of what the platform answers, and of the bodies of webhooks that it has sent. */
export async function recordPlatform(
  access: PlatformAccess,
  { environment, readStored }: RecordOptions,
  deps: PlatformReadsDeps & { readonly now: () => Date },
): Promise<Recording> {
  const { profile } = access;
  const { seen, missed } = await observePlatform(access, deps);
  const received = [...undeliveredBodies(seen, profile), ...((await readStored?.(profile)) ?? [])];
  const bodies = received.map((one) => ({ ...one, json: parseJsonExactly(one.body) }));
  const answers = seen.flatMap(({ operation, observed }) =>
    isAnswer(observed) ? [{ operation, answer: observed, json: parseBody(observed) }] : [],
  );
  const unnamed = bodies.filter(({ eventType }) => !platformCode.safeParse(eventType).success).length;
  const json = [...answers, ...bodies].map((one) => one.json);
  const named = nameFields(listedNames(profile), knownWords(profile), json);
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
      ...missed,
      ...(readStored === undefined ? ['webhooks that the deployment has stored: --events records them'] : []),
      ...(unnamed > 0 ? [`${countOf(unnamed, 'webhook')} with an event type that is not a word in capitals`] : []),
      ...(bodies.length === 0 ? ['bodies of webhooks: none was found'] : []),
    ],
  };
}

function undeliveredBodies(seen: readonly Seen[], profile: PlatformProfile): readonly ReceivedBody[] {
  const members = seen.flatMap(({ operation, observed }) =>
    operation === 'List undelivered webhooks' ? (membersOf(observed) ?? []) : [],
  );
  // Pages of different sizes have the same records.
  const bodies = new Map<string, ReceivedBody>();
  for (const member of members) {
    const eventType = keptEventType(fieldOf(fieldOf(member, 'webhook'), 'eventType'), profile);
    const body = fieldOf(member, 'body');
    if (typeof eventType === 'string' && typeof body === 'string')
      bodies.set(`${eventType} ${body}`, { eventType, body, from: 'undelivered' });
  }
  return [...bodies.values()];
}

type Answered = { readonly answer: PlatformAnswer; readonly json: unknown };

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
      return [status, { answers: cappedCount(answers.length), contentTypes: [...types].toSorted(), ...body }];
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

function contentTypeOf({ headers }: PlatformAnswer): (typeof contentTypes)[number] {
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
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return Object.fromEntries(some.map(([name, count]) => [name, cappedCount(count)]));
}
