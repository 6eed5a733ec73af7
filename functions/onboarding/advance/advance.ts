import {
  type Call,
  decide,
  identificationFailed,
  type ReadResult,
  readFailureOf,
} from '#functions/onboarding/state-machine/decide.ts';
import { addReasons, changeRow, endOfRun, settledBy } from '#functions/onboarding/state-machine/evolve.ts';
import { timeConditions, type Waiting, waitingState } from '#functions/onboarding/state-machine/timing.ts';
import { type Input, waitsAfter } from '#functions/onboarding/state-machine/transitions.ts';
import { ConflictError, retryOnConflict } from '#shared/aws/dynamodb.ts';
import type { SetLogIds } from '#shared/lambda/handler.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { CountName, Metrics } from '#shared/lambda/metrics.ts';
import type { OnboardingEvent, PublishOnboardingEvents } from '#shared/onboarding/onboarding-event.ts';
import { type OnboardingMessage, readOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { endingStatuses, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { type OnboardingStore, onboardingRetries } from '#shared/onboarding/onboarding-store.ts';
import type { MakeCall } from './make-call.ts';
import { type PlatformWords, unknownStatusOf } from './platform-answers.ts';
import type { ReadForStep, ReadReasons } from './read-for-step.ts';

/**
 * Whether a message makes the onboarding advance. The message of a lease does until the row changes. Any other message, such as that
 * of a webhook, does unless the onboarding is paced.
 *
 * Any other message is acknowledged without effect. Nothing is lost: `wake` sends the onboarding when it is due.
 */
export function isForAdvance({ lease }: OnboardingMessage, state: OnboardingState, now: Date): boolean {
  // Its events may not be published yet.
  if (stepRow(state.step).final) return true;
  if (lease !== undefined) return lease === state.dueOn;
  return state.isPaced !== true || !isDueLater(state, now);
}

/** Whether the onboarding is due later than now. */
function isDueLater({ dueOn }: OnboardingState, now: Date): boolean {
  return dueOn !== undefined && Date.parse(dueOn) > now.getTime();
}

export type AdvanceDeps = {
  readonly store: Pick<OnboardingStore, 'load' | 'save'>;
  readonly readForStep: ReadForStep;
  readonly makeCall: MakeCall;
  readonly words: PlatformWords;
  readonly readReasons: ReadReasons;
  readonly settings: OnboardingSettings;
  readonly publish: PublishOnboardingEvents;
  readonly now: () => Date;
  /** From 0 to 1: for the jitter of back-offs. */
  readonly random: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
};

/**
 * Handles one message of the onboarding queue: advances the onboarding until it waits or ends, and saves when it is due again. Each
 * input is saved under a version before the next, and each create is recorded before it is sent. So of two concurrent runs one wins,
 * and after a crash the onboarding is due when the time of the run is over.
 *
 * No answer of the platform throws: the onboarding waits, stops or ends.
 *
 * @throws when DynamoDB or the bus did not confirm
 */
export function createAdvance(deps: AdvanceDeps) {
  const { store, readForStep, makeCall, words, readReasons, settings, publish, now, random, log, metrics } = deps;

  return async (text: string, setLogIds?: SetLogIds): Promise<void> => {
    const message = readOnboardingMessage(text);
    setLogIds?.({ onboardingId: message.onboardingId });
    await retryOnConflict(onboardingRetries, () => advance(message));
  };

  async function advance(message: OnboardingMessage): Promise<void> {
    const { onboardingId } = message;
    const row = await store.load(onboardingId);
    if (row === undefined || isErased(row)) return log.info('onboarding not found', { onboardingId });
    if (isForAdvance(message, row.state, now())) return run(row, message.lease === undefined);
  }

  /** @param mayBeEarly whether the run may begin before the onboarding is due, as for a webhook */
  async function run(start: OnboardingRow, mayBeEarly: boolean): Promise<void> {
    const isEarly = mayBeEarly && isDueLater(start.state, now());
    const searchesUntil = now().getTime() + maxSearchMs;
    let row = start;
    for (;;) {
      row = await reserveAttempt(row);
      const conditions = timeConditions(row.state, settings, now());
      const read = await readForStep(row);
      const failure = readFailureOf(read);
      const isMissing = failure !== undefined && read.of !== 'UNREAD';
      if (failure !== undefined)
        log.warn('platform read failed', {
          onboardingId: row.onboardingId,
          step: row.state.step,
          reason: failure,
        });
      row = noteUnknownStatus(row, read);
      const action = decide(row.state, { ...conditions, meaningOf: words.meaningOf, read });
      if (action.do === 'nothing') return publishOutbox(await addReasonsAtEnd(row));
      if (action.do === 'wait') {
        // An early read without a change leaves the due time as it is.
        if (isEarly && row === start && failure === undefined) return publishOutbox(row);
        return saveAndWait(row, { failure, isMissing, retryAfter: action.retryAfter });
      }
      const { step } = row.state;
      if (action.do === 'apply') {
        row = await apply(row, action.input);
        // A stall that is published during a search leaves the search where it was.
        const isSearching = read.of === 'SEARCH_CONTINUES';
        if (isSearching && now().getTime() < searchesUntil) continue;
        if (waitsAfter(step, action.input.type))
          return saveAndWait(row, { failure: row.state.step === step ? failure : undefined, isMissing, isSearching });
        continue;
      }
      const started = await apply(row, action.firstInput);
      const outcome = await send(action.call, started);
      row = await apply({ ...started, state: settledBy(started.state, outcome.input) }, outcome.input);
      const isAtStep = row.state.step === started.state.step;
      if (waitsAfter(started.state.step, outcome.input.type))
        return saveAndWait(row, { failure: isAtStep ? outcome.failure : undefined, retryAfter: outcome.retryAfter });
    }
  }

  /**
   * Keeps other runs from reading the platform at the same time: of many concurrent messages, as of webhooks, one makes the attempt.
   * Only if the attempt must be paced: any other read is cheap, and may be repeated.
   */
  async function reserveAttempt(row: OnboardingRow): Promise<OnboardingRow> {
    const { failing, step } = row.state;
    if (failing === undefined && !stepRow(step).isCostly) return row;
    const state = { ...row.state, dueOn: endOfRun(now().toISOString()), isPaced: true };
    const reserved = { ...row, version: row.version + 1, state };
    await save(reserved);
    return reserved;
  }

  /** Adds the platform's codes to an ended onboarding: their webhook may arrive after the end. */
  async function addReasonsAtEnd(row: OnboardingRow): Promise<OnboardingRow> {
    const end = endOf(row.state);
    if (end === undefined) return row;
    const explained = addReasons(row, await readReasons(end.key, end.status), now().toISOString());
    if (explained !== row) await save(explained);
    return explained;
  }

  /** Counts a status that no setting explains at each read: the alarm is on while an onboarding waits with the status. */
  function noteUnknownStatus(row: OnboardingRow, read: ReadResult): OnboardingRow {
    const before = row.state.unknownStatus;
    const unknownStatus = unknownStatusOf(read, row.state, words);
    if (unknownStatus !== undefined && read.of !== 'UNREAD') metrics.count('UnknownStatuses');
    if (unknownStatus?.kind === before?.kind && unknownStatus?.status === before?.status) return row;
    const { onboardingId, state } = row;
    if (unknownStatus !== undefined)
      log.warn('unknown status', { onboardingId, step: state.step, kind: unknownStatus.kind });
    return { ...row, state: { ...state, unknownStatus } };
  }

  async function send(call: Call, row: OnboardingRow) {
    const outcome = await makeCall(call, row);
    const { onboardingId, state } = row;
    if (outcome.error !== undefined)
      log.warn(`call failed: ${call}`, {
        onboardingId,
        step: state.step,
        reason: outcome.input.type,
        error: outcome.error,
      });
    return outcome;
  }

  async function apply(row: OnboardingRow, input: Input): Promise<OnboardingRow> {
    const next = changeRow(row, input, now().toISOString());
    await save(next);
    if (givesUp(input)) metrics.countOfVersion('OnboardingsGivenUp');
    for (const { detailType } of next.outbox.slice(row.outbox.length)) {
      count(detailType);
      if (detailType === 'OnboardingCompleted')
        metrics.time('RequestToActiveDuration', now().getTime() - Date.parse(next.state.openSince));
    }
    log.info('onboarding advanced', {
      onboardingId: next.onboardingId,
      step: next.state.step,
      reason: input.type,
    });
    return next;
  }

  async function save(row: OnboardingRow): Promise<void> {
    if (await store.save(row)) return;
    throw new ConflictError('Another writer has changed the onboarding: the message comes again.');
  }

  function count(detailType: OnboardingEvent['detailType']): void {
    const name = counted[detailType];
    if (name !== undefined) metrics.count(name);
  }

  async function publishAll(events: readonly OnboardingEvent[]): Promise<void> {
    for (let start = 0; start < events.length; start += maxPublishedEvents)
      await publish(events.slice(start, start + maxPublishedEvents));
  }

  async function publishOutbox(row: OnboardingRow): Promise<void> {
    if (row.outbox.length === 0) return;
    await publishAll(row.outbox);
    const dueOn = stepRow(row.state.step).final ? undefined : row.state.dueOn;
    const state = { ...row.state, dueOn, leases: undefined, dueSince: undefined };
    await save({ ...row, version: row.version + 1, state, outbox: [] });
  }

  /** Publishes the outbox, and saves when the onboarding is due again. */
  async function saveAndWait(row: OnboardingRow, waiting: Waiting): Promise<void> {
    await publishAll(row.outbox);
    const state = waitingState(row.state, waiting, { settings, now: now(), random });
    await save({ ...row, version: row.version + 1, state, outbox: [] });
  }
}

/** Whether the onboarding stops or ends because of what Drawbridge asked for. A deleted request is not the fault of the version. */
function givesUp(input: Input): boolean {
  return input.type === 'Stopped' || (input.type === 'CallRefused' && input.reason.code !== 'REQUEST_DELETED');
}

/** What ended the onboarding: the person or the verification, and its status. */
function endOf({ step, naturalPersonId, identificationVerificationId, reasons }: OnboardingState) {
  const ending = endingStatuses.find((status) => status === step);
  if (ending !== undefined && naturalPersonId !== undefined)
    return { key: { kind: 'natural-person', id: naturalPersonId }, status: ending } as const;
  const failure = reasons.find(
    ({ code, source }) => source === undefined && code.startsWith(identificationFailed),
  )?.code;
  const hasFailure = step === 'FAILED' || step === 'COMPLETED';
  if (!hasFailure || failure === undefined || identificationVerificationId === undefined) return undefined;
  const status = failure.slice(identificationFailed.length);
  return { key: { kind: 'identification-verification', id: identificationVerificationId }, status } as const;
}

/** In milliseconds: how long a run begins further portions of a search. A portion takes 15 seconds, and a run has 2 minutes. */
const maxSearchMs = 60_000;

/** How many events one call to the bus takes. */
const maxPublishedEvents = 10;

/** The metric of each published event. */
const counted: Readonly<Partial<Record<OnboardingEvent['detailType'], CountName>>> = {
  OnboardingCompleted: 'OnboardingsCompleted',
  OnboardingEnded: 'OnboardingsEnded',
  OnboardingStopped: 'OnboardingsStopped',
  OnboardingStalled: 'OnboardingsStalled',
};
