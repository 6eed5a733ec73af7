import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { Log } from '#shared/log.ts';
import type { CountName, Metrics } from '#shared/metrics.ts';
import type { OnboardingEvent, PublishOnboardingEvents } from '#shared/onboarding-event.ts';
import { type OnboardingMessage, readOnboardingMessage, writeOnboardingMessage } from '#shared/onboarding-message.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding-row.ts';
import type { OnboardingSettings } from '#shared/onboarding-settings.ts';
import { stepRow } from '#shared/onboarding-steps.ts';
import type { OnboardingStore } from '#shared/onboarding-store.ts';
import { longestDelay, type Queue } from '#shared/queue.ts';
import { factsOf } from './facts.ts';
import type { Look } from './look.ts';
import type { MakeCall } from './make-call.ts';
import type { Occurrence } from './occurrence.ts';
import { type Call, decide, endOfRun, settledBy, unreadWhy, waitsAfter } from './onboarding.ts';
import { changeRow } from './onboarding-row-change.ts';
import { afterEarlyFailure, type Waiting, waitingState } from './waiting.ts';
import { dueLater, wakeOf } from './wake.ts';

export type AdvanceDeps = {
  readonly store: Pick<OnboardingStore, 'load' | 'save'>;
  readonly look: Look;
  readonly makeCall: MakeCall;
  readonly settings: OnboardingSettings;
  readonly publish: PublishOnboardingEvents;
  /** The onboarding queue: by it an onboarding asks to be woken. */
  readonly queue: Queue;
  readonly now: () => Date;
  /** From 0 to 1: for the jitter of back-offs. */
  readonly random: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** Another run has saved the onboarding since this one read it. The message comes again. */
export class OnboardingConflictError extends DrawbridgeError {
  override readonly name = 'OnboardingConflictError';
}

/** How often a run begins anew where another one is at work on the same onboarding. */
const mostTries = 3;

/**
 * Works on one message of the onboarding queue: takes the onboarding as far as it goes, and asks to be woken where it has to
 * wait. Each step is saved under a version before the next, and each create is noted before it is sent: a crash anywhere is
 * repaired by redelivery, and of two runs at once one wins.
 *
 * Nothing that the platform answers throws: the onboarding waits, stops or ends by it.
 *
 * @throws when DynamoDB, SQS or the bus did not confirm
 */
export function createAdvance(deps: AdvanceDeps) {
  const { store, look, makeCall, settings, publish, queue, now, random, log, metrics } = deps;

  return async (text: string): Promise<void> => {
    const message = readOnboardingMessage(text);
    for (let tries = 1; ; tries += 1) {
      try {
        return await advance(message);
      } catch (error) {
        if (!(error instanceof OnboardingConflictError) || tries === mostTries) throw error;
      }
    }
  };

  async function advance({ onboardingId, dueOn }: OnboardingMessage): Promise<void> {
    const row = await store.load(onboardingId);
    if (row === undefined || isErased(row)) return log.info('the onboarding is gone', { onboardingId });
    const wake = wakeOf(row.state, dueOn, now());
    if (wake.does === 'nothing') return;
    if (wake.does === 'comes later') return sendWake(onboardingId, wake.at, wake.isOwn);
    return goOn(row);
  }

  async function goOn(start: OnboardingRow): Promise<void> {
    let row = start;
    for (;;) {
      row = await claim(row);
      const facts = factsOf(row.state, settings, now());
      const seen = await look(row, facts.isFailure);
      if (seen.of === 'UNREAD')
        log.warn('the platform did not say', {
          onboardingId: row.onboardingId,
          step: row.state.step,
          reason: seen.why,
        });
      const command = decide(row.state, { ...facts, seen });
      if (command.do === 'nothing') return publishRest(row);
      const failure = unreadWhy(seen);
      if (command.do === 'wait') return rest(row, { failure, retryAfter: command.retryAfter });
      const { step } = row.state;
      if (command.do === 'note') {
        row = await note(row, command.occurrence);
        if (waitsAfter(step, command.occurrence.type))
          return rest(row, {
            failure: row.state.step === step ? failure : undefined,
            isSearching: 'cursor' in command.occurrence,
          });
        continue;
      }
      const intended = await note(row, command.intent);
      const outcome = await send(command.call, intended);
      row = await note({ ...intended, state: settledBy(intended.state, outcome.occurrence) }, outcome.occurrence);
      const isAtStep = row.state.step === intended.state.step;
      if (waitsAfter(intended.state.step, outcome.occurrence.type))
        return rest(row, { failure: isAtStep ? outcome.failure : undefined, retryAfter: outcome.retryAfter });
    }
  }

  /**
   * Keeps other runs from asking the platform for the same: of many wakes at once, as by webhooks, one makes the attempt.
   * Only where the next attempt is to be paced: any other look is cheap, and may be repeated.
   */
  async function claim(row: OnboardingRow): Promise<OnboardingRow> {
    const { failing, step } = row.state;
    if (failing === undefined && !stepRow(step).isCostly) return row;
    const quietUntil = endOfRun(now().toISOString());
    const state = { ...row.state, quietUntil, failing: failing && { ...failing, isEarlyUsed: true } };
    const claimed = { ...row, version: row.version + 1, state };
    await save(claimed);
    return claimed;
  }

  async function send(call: Call, row: OnboardingRow) {
    const outcome = await makeCall(call, row);
    const { onboardingId, state } = row;
    if (outcome.error !== undefined)
      log.warn(`could not ${call}`, {
        onboardingId,
        step: state.step,
        reason: outcome.occurrence.type,
        error: outcome.error,
      });
    return outcome;
  }

  async function note(row: OnboardingRow, occurrence: Occurrence): Promise<OnboardingRow> {
    const next = changeRow(row, occurrence, now().toISOString());
    await save(next);
    for (const { detailType } of next.outbox.slice(row.outbox.length)) count(detailType);
    log.info('the onboarding goes on', {
      onboardingId: next.onboardingId,
      step: next.state.step,
      reason: occurrence.type,
    });
    return next;
  }

  async function save(row: OnboardingRow): Promise<void> {
    if (await store.save(row)) return;
    throw new OnboardingConflictError('Another run is at work on the onboarding: the message comes again.');
  }

  function count(detailType: OnboardingEvent['detailType']): void {
    const name = counted[detailType];
    if (name !== undefined) metrics.count(name);
  }

  async function publishAll(events: readonly OnboardingEvent[]): Promise<void> {
    for (let start = 0; start < events.length; start += mostPublished)
      await publish(events.slice(start, start + mostPublished));
  }

  async function publishRest(row: OnboardingRow): Promise<void> {
    if (row.outbox.length === 0) return;
    await publishAll(row.outbox);
    const dueOn = stepRow(row.state.step).final ? undefined : row.state.dueOn;
    await save({ ...row, version: row.version + 1, state: { ...row.state, dueOn }, outbox: [] });
  }

  /**
   * Waits. There is one wake on its way at a time: whoever comes in between, as for a webhook, asks for none. It is asked
   * for before it is noted, so that a crash in between loses none.
   */
  async function rest(row: OnboardingRow, waiting: Waiting): Promise<void> {
    const { state, onboardingId } = row;
    const time = now();
    const early = dueLater(state, time);
    if (early !== undefined && state.failing === undefined && waiting.failure === undefined) return publishRest(row);
    await publishAll(row.outbox);
    const isEarlyFailure = early !== undefined && state.failing !== undefined && waiting.failure !== undefined;
    const next = isEarlyFailure
      ? afterEarlyFailure(early)
      : waitingState(state, waiting, { settings, now: time, random });
    if (!isEarlyFailure && next.dueOn !== undefined) await sendWake(onboardingId, next.dueOn, true);
    await save({ ...row, version: row.version + 1, state: next, outbox: [] });
  }

  /** What is due in more than an hour, reconcile finds. @param isOwn whether the onboarding asks for it itself */
  async function sendWake(onboardingId: string, at: string, isOwn: boolean): Promise<void> {
    const delay = Math.ceil((Date.parse(at) - now().getTime()) / 1_000);
    if (delay > longestWait) return;
    const text = writeOnboardingMessage(onboardingId, isOwn ? at : undefined);
    await queue.send(text, { delay: Math.min(Math.max(delay, 1), longestDelay) });
  }
}

/** In seconds: up to then a wake is handed on from message to message, each of which SQS delays by 15 minutes at most. */
const longestWait = 3_600;

/** What the bus takes at once. */
const mostPublished = 10;

/** What is counted of what is published. */
const counted: Readonly<Partial<Record<OnboardingEvent['detailType'], CountName>>> = {
  OnboardingCompleted: 'OnboardingsCompleted',
  OnboardingEnded: 'OnboardingsEnded',
  OnboardingStopped: 'OnboardingsStopped',
  OnboardingStalled: 'OnboardingsStalled',
};
