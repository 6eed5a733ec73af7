import { evaluateEventTypes, evaluateNotFound, evaluateTimes } from '#cli/doctor/platform/evaluate-answers.ts';
import {
  type Evaluation,
  good,
  type PlatformReport,
  type Result,
  reportOf,
  unknown,
} from '#cli/doctor/platform/evaluation.ts';
import type { PlatformAccess } from '#cli/doctor/platform/platform-access.ts';
import { countOf } from '#cli/output/count-of.ts';
import { isObject } from '#shared/parse-json.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { placeOf } from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { again, compareAnswers, membersIn, type RecordedTime, succeededIn } from './compare-answers.ts';
import { compareWebhooks } from './compare-webhooks.ts';
import { operations, type Recording, type Shape } from './recording.ts';
import { samplesOf } from './samples.ts';

/**
 * Names where a recording differs from the specification and the profile. The readers of Drawbridge get samples of all forms that were
 * recorded: what they do with the samples is what Drawbridge does with the values.
 */
export function compareRecording(
  recording: Recording,
  { profile, ownProfile }: Pick<PlatformAccess, 'profile' | 'ownProfile'>,
): PlatformReport {
  const compared = [
    ...operations.map((operation) => compareAnswers(operation, recording, profile)),
    ...Object.entries(recording.webhooks).map(([type, received]) => compareWebhooks(type, received, profile)),
  ];
  const results: readonly Result[] = [
    ...compared.flatMap((one) => one.results),
    ['event types', evaluateEventTypes(eventTypesIn(recording), profile)],
    [
      'times',
      compareTimes(
        compared.flatMap((one) => one.times),
        profile,
      ),
    ],
    ['not found', compareNotFound(recording)],
    ['error codes', listErrorCodes(recording, profile)],
  ];
  return reportOf(results, ownProfile);
}

/** Times as the specification has them are counted, so that the others are seen. */
function compareTimes(times: readonly RecordedTime[], profile: PlatformProfile): Evaluation {
  const others = times.filter(({ samples }) => samples.some((sample) => !timestamp.safeParse(sample).success));
  if (others.length === 0 && times.length > 0)
    return good(`${countOf(times.length, 'field has times', 'fields have times')} as specified`);
  const seen = others.map(({ of, field, samples }) => ({
    of,
    members: samples.map((sample) => ({ [field]: sample })),
    times: [field],
  }));
  return evaluateTimes(seen, profile);
}

/** The types of webhooks, registered or missing, and of received bodies; undefined if neither list was read. */
function eventTypesIn(recording: Recording): readonly unknown[] | undefined {
  const lists = (['List webhooks', 'List missing webhooks'] as const).flatMap(
    (operation) => succeededIn(recording, operation) ?? [],
  );
  const words = lists.flatMap(({ body }) => {
    const members = membersIn(body);
    return [members?.words, members?.fields?.['eventType']?.words].flatMap((found) => Object.keys(found ?? {}));
  });
  const all = [...words, ...Object.keys(recording.webhooks)];
  return all.length === 0 && lists.length === 0 ? undefined : all;
}

/** The answer to an id that no person has. */
function compareNotFound({ operations: recorded }: Recording): Evaluation {
  const failed = Object.entries(recorded['Get natural person'] ?? {}).filter(([status]) => !status.startsWith('2'));
  const [status, answers] = failed.find(([code]) => code === '404') ?? failed[0] ?? [];
  if (status === undefined) return unknown('not recorded', again);
  const [sample] = answers?.body === undefined ? [] : samplesOf(answers.body);
  // Only the names count. Samples within samples can be far more than a body has.
  const named = isObject(sample) ? Object.fromEntries(Object.keys(sample).map((name) => [name, null])) : sample;
  const body = Buffer.from(named === undefined ? '' : JSON.stringify(Array.isArray(named) ? [] : named));
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

/** @param except fields with words that are not error codes */
function wordsIn(shape: Shape | undefined, except: readonly string[]): readonly string[] {
  if (shape === undefined) return [];
  const fields = Object.entries(shape.fields ?? {}).filter(([name]) => !except.includes(name));
  const inner = [...fields.map(([, field]) => field), shape.items];
  return [...Object.keys(shape.words ?? {}), ...inner.flatMap((one) => wordsIn(one, except))];
}
