import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { changeRow, detailOf, lacksIdentification } from '#functions/onboarding/state-machine/evolve.ts';
import { expiresAt } from '#functions/onboarding/state-machine/timing.ts';
import { ConflictError, nextVersion, retryOnConflict } from '#shared/aws/dynamodb.ts';
import type { Queue } from '#shared/aws/queue.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { writeOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { newOnboarding, type OnboardingData, type RequestDigests } from '#shared/onboarding/onboarding-state.ts';
import { type FinalStep, isFinalStep, type OnboardingStep, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { type OnboardingStore, onboardingRetries } from '#shared/onboarding/onboarding-store.ts';
import {
  checkRequest,
  type OnboardingRequest,
  type Problem,
  type RequestProfile,
  type RequestRefusal,
  wholeBody,
} from './onboarding-request.ts';

/**
 * The digests that show whether a request is the same as an earlier one. The digest of the whole decides that. Those of single fields
 * name what differs. They give back every value that can be guessed, so a row keeps them only as long as it has the person itself.
 *
 * @param salt of this onboarding only
 */
export function digestRequest({ person, identification }: OnboardingRequest, salt: string): RequestDigests {
  const digest = (name: string, value: unknown) =>
    createHash('sha256')
      .update(`${salt} ${name} ${canonicalize(value)}`)
      .digest('hex');
  const fields = Object.entries({ person, identification }).flatMap(([part, values]) =>
    Object.entries(values).map(([name, value]) => [`${part}.${name}`, value] as const),
  );
  return {
    salt,
    whole: digest('', { person, identification }),
    fields: Object.fromEntries(fields.map(([name, value]) => [name, digest(name, value).slice(0, 4)])),
  };
}

/**
 * The names of the fields in which a request differs from the request of these digests; the body as a whole without the digests of
 * fields. Empty if it is the same.
 */
export function differencesFrom(before: RequestDigests, request: OnboardingRequest): readonly string[] {
  const now = digestRequest(request, before.salt);
  if (now.whole === before.whole) return [];
  if (Object.keys(before.fields).length === 0) return [wholeBody];
  const names = new Set([...Object.keys(before.fields), ...Object.keys(now.fields)]);
  const differing = [...names].filter((name) => before.fields[name] !== now.fields[name]);
  // One in 65,536: their short digests are the same.
  return differing.length > 0 ? differing : [wholeBody];
}

/** What a request does if the externalId has an onboarding already. */
export type RepeatRule = {
  /**
   * The same request again. ACCEPTED: 202, and nothing changes. RESTARTED: 202, and the onboarding starts again. ENDED: 409 with
   * the remedy. RETRY_FIRST: as RESTARTED if a retry cannot continue, else as ENDED: a stray copy of a request changes nothing.
   */
  readonly same: 'ACCEPTED' | 'RESTARTED' | 'RETRY_FIRST' | 'ENDED';
  /** A request with other data. CONFLICT: 409, with the fields that differ if the row has the person. The others are as above. */
  readonly different: 'CONFLICT' | 'RESTARTED' | 'RETRY_FIRST' | 'ENDED';
  /** What the caller can do next. */
  readonly remedy: string;
};

const underWay = {
  same: 'ACCEPTED',
  different: 'CONFLICT',
  remedy: 'The onboarding is under way. To request it with other data, cancel it first.',
} as const;

const restarts = { same: 'RESTARTED', different: 'RESTARTED' } as const;
const ended = { same: 'ENDED', different: 'ENDED' } as const;

const canBeLifted = (status: 'SUSPENDED' | 'BLOCKED') =>
  ({
    same: 'RETRY_FIRST',
    different: 'RETRY_FIRST',
    remedy: `The person is ${status} on the platform: ask its support. Once the person is no longer ${status}, send POST /onboardings/{externalId}/retry.`,
  }) as const;

/** By the step at which an onboarding waits for an operator, or has ended. */
const rules: Readonly<Record<FinalStep | 'STOPPED', RepeatRule>> = {
  STOPPED: {
    ...underWay,
    remedy:
      'The onboarding is STOPPED: its reasons say what to fix before a retry. To request it with other data, cancel it first.',
  },
  COMPLETED: {
    ...underWay,
    remedy: 'The person became ACTIVE. To change its data, send PATCH /onboardings/{externalId}/person.',
  },
  SUSPENDED: canBeLifted('SUSPENDED'),
  BLOCKED: canBeLifted('BLOCKED'),
  REJECTED: {
    ...ended,
    remedy:
      'The platform rejected the person, and the externalId stays used: ask its support. A new attempt needs another externalId.',
  },
  INVALID: {
    ...ended,
    remedy:
      'The platform found the data of the person invalid, and the externalId stays used. Request the onboarding with correct data under another externalId.',
  },
  DECEASED: { ...ended, remedy: 'The person is deceased: nothing is left to do.' },
  FAILED: {
    ...restarts,
    remedy:
      'The reasons say why. Send the request again, with correct data where a reason names fields: the onboarding starts again.',
  },
  CANCELED: { ...restarts, remedy: 'Send the request again: the onboarding starts again.' },
  EXPIRED: { ...restarts, remedy: 'Send the request again: the onboarding starts again.' },
};

/** What a request does to an onboarding at this step. */
export function repeatRuleAt(step: OnboardingStep): RepeatRule {
  return step === 'STOPPED' || isFinalStep(step) ? rules[step] : underWay;
}

/** What the caller can do about an onboarding that has ended; undefined while it continues. */
export function remedyAtEnd(step: OnboardingStep): string | undefined {
  return isFinalStep(step) ? rules[step].remedy : undefined;
}

type RequestDeps = {
  readonly store: Pick<OnboardingStore, 'create' | 'load' | 'save'>;
  /** The onboarding queue. */
  readonly queue: Queue;
  readonly settings: OnboardingSettings;
  readonly profile: RequestProfile;
  readonly now: () => Date;
  /** A random text, for the digests of one onboarding. */
  readonly newSalt: () => string;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** The outcome of a request. */
export type RequestOutcome =
  /** The request is accepted: now, or an earlier copy of it was. */
  { readonly outcome: 'ACCEPTED'; readonly row: OnboardingRow } | RequestRefusal;

/** In bytes of JSON: an item of DynamoDB holds 400 KiB. */
const maxRequestBytes = 256 * 1_024;

/** The `onboarding.externalVerifier` of an environment that identifies no one by video. */
const noVerifier = 'NONE';

/** The platform would answer Not Implemented to the verification (section 7), after the person is created. */
const withoutVideo: Problem = {
  field: 'identification.mode',
  reason:
    'must not be video: this environment identifies no one by video. Send supplied or none, or have the operator set onboarding.externalVerifier',
};

/**
 * Accepts a request for an onboarding: saves the onboarding first, then sends a message to the onboarding queue. The same request twice
 * is the same onboarding, so every part can be repeated after a crash. `repeatRuleAt` decides what a request does to an existing
 * onboarding.
 *
 * @param madeOn when the request was made: a late copy does not restart an onboarding that has ended since
 * @throws when DynamoDB or SQS did not confirm: the request must be sent again
 */
export function createAcceptRequest({ store, queue, settings, profile, now, newSalt, log, metrics }: RequestDeps) {
  return async (body: unknown, madeOn: Date = now()): Promise<RequestOutcome> => {
    const checked = checkRequest(body, now(), profile);
    if ('problems' in checked) return refuse('INVALID', checked.problems, checked.externalId);
    const { request } = checked;
    if (request.identification.mode === 'video' && settings.externalVerifier === noVerifier)
      return refuse('INVALID', [withoutVideo], request.externalId);
    if (Buffer.byteLength(JSON.stringify(request)) > maxRequestBytes)
      return refuse('INVALID', [{ field: wholeBody, reason: 'must be at most 256 KiB' }], request.externalId);
    return retryOnConflict(onboardingRetries, () => acceptRequest(request, madeOn));
  };

  /** @throws {ConflictError} if another writer has changed the onboarding meanwhile */
  async function acceptRequest(request: OnboardingRequest, madeOn: Date): Promise<RequestOutcome> {
    const first = firstRow(request);
    if (await store.create(first)) return begin(first);
    const row = await store.load(first.onboardingId);
    if (row === undefined) throw conflict();
    if (isErased(row)) return refuse('ERASED', [], request.externalId);
    if (row.erasingOn !== undefined) return refuse('BEING_ERASED', [], request.externalId);
    const differing = differencesFrom(row.digests, request);
    const { step, since } = row.state;
    const rule = repeatRuleAt(step);
    const ofRule = differing.length === 0 ? rule.same : rule.different;
    const what = ofRule === 'RETRY_FIRST' && lacksIdentification(row) ? 'RESTARTED' : ofRule;
    if (what === 'ACCEPTED') return stepRow(step).final ? { outcome: 'ACCEPTED', row } : accept(row);
    if (what === 'RESTARTED' && madeOn.getTime() >= Date.parse(since)) return restart(row, request);
    const problems = what === 'CONFLICT' ? differing.map(differs) : [];
    return refuse(what === 'CONFLICT' ? what : 'ENDED', problems, request.externalId, { step, remedy: rule.remedy });
  }

  async function restart(row: OnboardingRow, request: OnboardingRequest): Promise<RequestOutcome> {
    const { data, digests } = firstRow(request);
    const asRequested = { ...row, state: { ...row.state, mode: request.identification.mode } };
    const restarted = changeRow(asRequested, { type: 'Restarted' }, now().toISOString());
    const next = { ...restarted, data, digests, expiresAt: expiresAt(restarted.state, settings) };
    if (!(await store.save(next))) throw conflict();
    return begin(next);
  }

  async function begin(row: OnboardingRow): Promise<RequestOutcome> {
    metrics.count('OnboardingsAccepted');
    log.info('onboarding accepted', { onboardingId: row.onboardingId });
    return accept(row);
  }

  /** The onboarding is durable: a repeated request sends the message again. */
  async function accept(row: OnboardingRow): Promise<RequestOutcome> {
    await queue.send(writeOnboardingMessage(row.onboardingId));
    return { outcome: 'ACCEPTED', row };
  }

  function refuse(
    outcome: RequestRefusal['outcome'],
    problems: readonly Problem[],
    externalId: string | undefined,
    more: Pick<RequestRefusal, 'step' | 'remedy'> = {},
  ): RequestRefusal {
    const onboardingId = externalId === undefined ? undefined : onboardingIdOf(externalId);
    metrics.count('OnboardingsRejected');
    log.warn('onboarding refused', { reason: outcome, ...(onboardingId !== undefined && { onboardingId }) });
    return { outcome, onboardingId, problems, ...more };
  }

  function firstRow(request: OnboardingRequest): OnboardingRow {
    const time = now();
    const state = newOnboarding(request.identification.mode, time.toISOString());
    const row = { onboardingId: onboardingIdOf(request.externalId), version: nextVersion(undefined, time), state };
    return {
      ...row,
      data: dataOf(request),
      digests: digestRequest(request, newSalt()),
      outbox: [{ detailType: 'OnboardingAccepted', detail: detailOf(row) }],
      expiresAt: expiresAt(state, settings),
    };
  }
}

function conflict(): ConflictError {
  return new ConflictError('Other writers changed the onboarding: send the request again.');
}

function differs(field: string): Problem {
  return { field, reason: 'differs from the earlier request' };
}

/** The data of a request that the onboarding needs. */
function dataOf({ externalId, person, identification }: OnboardingRequest): OnboardingData {
  return { person: { ...person, externalId }, ...identificationOf(identification) };
}

function identificationOf(identification: OnboardingRequest['identification']): OnboardingData {
  if (identification.mode === 'none') return {};
  if (identification.mode === 'video') return { redirectUrl: identification.redirectUrl };
  const { mode, ...supplied } = identification;
  return { identification: supplied };
}
