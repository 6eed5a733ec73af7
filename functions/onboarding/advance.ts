import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { Log } from '#shared/log.ts';
import type { CountName, Metrics } from '#shared/metrics.ts';
import type { OnboardingEvent, PublishOnboardingEvents } from '#shared/onboarding-event.ts';
import { readOnboardingMessage, writeOnboardingMessage } from '#shared/onboarding-message.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding-row.ts';
import type { OnboardingSettings } from '#shared/onboarding-settings.ts';
import { stepRow } from '#shared/onboarding-steps.ts';
import type { OnboardingStore } from '#shared/onboarding-store.ts';
import { longestDelay, type Queue } from '#shared/queue.ts';
import { factsOf } from './facts.ts';
import type { Look } from './look.ts';
import type { MakeCall } from './make-call.ts';
import type { Occurrence } from './occurrence.ts';
import { type Call, decide, settledBy, waitsAfter } from './onboarding.ts';
import { changeRow } from './onboarding-row-change.ts';
import { type Waiting, waitingState } from './waiting.ts';

export type AdvanceDeps = {
  readonly store: Pick<OnboardingStore, 'load' | 'save'>;
  readonly look: Look;
  readonly makeCall: MakeCall;
  readonly settings: OnboardingSettings;
  readonly publish: PublishOnboardingEvents;
  /** The onboarding queue: by it an onboarding asks to be woken. */
  readonly queue: Queue;
  readonly now: () => Date;
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
  const { store, look, makeCall, settings, publish, queue, now, log, metrics } = deps;

  return async (message: string): Promise<void> => {
    const onboardingId = readOnboardingMessage(message);
    for (let tries = 1; ; tries += 1) {
      try {
        return await advance(onboardingId);
      } catch (error) {
        if (!(error instanceof OnboardingConflictError) || tries === mostTries) throw error;
      }
    }
  };

  async function advance(onboardingId: string): Promise<void> {
    const row = await store.load(onboardingId);
    if (row === undefined || isErased(row)) return log.info('the onboarding is gone', { onboardingId });
    return goOn(row);
  }

  async function goOn(start: OnboardingRow): Promise<void> {
    let row = start;
    for (;;) {
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
      if (command.do === 'wait') return rest(row, { retryAfter: command.retryAfter });
      const { step } = row.state;
      if (command.do === 'note') {
        row = await note(row, command.occurrence);
        if (waitsAfter(step, command.occurrence.type))
          return rest(row, { isSearching: 'cursor' in command.occurrence });
        continue;
      }
      const intended = await note(row, command.intent);
      const { occurrence, retryAfter } = await send(command.call, intended);
      row = await note({ ...intended, state: settledBy(intended.state, occurrence) }, occurrence);
      if (waitsAfter(intended.state.step, occurrence.type)) return rest(row, { retryAfter });
    }
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
    if (state.dueOn !== undefined && Date.parse(state.dueOn) > time.getTime()) return publishRest(row);
    await publishAll(row.outbox);
    const next = waitingState(state, settings, time, waiting);
    const delay = Math.ceil((Date.parse(next.dueOn) - time.getTime()) / 1_000);
    // What is due later, reconcile finds.
    if (delay <= longestDelay) await queue.send(writeOnboardingMessage(onboardingId), { delay });
    await save({ ...row, version: row.version + 1, state: next, outbox: [] });
  }
}

/** What the bus takes at once. */
const mostPublished = 10;

/** What is counted of what is published. */
const counted: Readonly<Partial<Record<OnboardingEvent['detailType'], CountName>>> = {
  OnboardingCompleted: 'OnboardingsCompleted',
  OnboardingEnded: 'OnboardingsEnded',
  OnboardingStopped: 'OnboardingsStopped',
  OnboardingStalled: 'OnboardingsStalled',
};
