import { writeOnboardingMessage } from '#shared/onboarding-message.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding-row.ts';
import type { OnboardingSettings } from '#shared/onboarding-settings.ts';
import { OnboardingContentionError, type OnboardingStore } from '#shared/onboarding-store.ts';
import type { Queue } from '#shared/queue.ts';
import { expiresAt } from './facts.ts';
import type { Occurrence } from './occurrence.ts';
import { can } from './onboarding.ts';
import { changeRow } from './onboarding-row-change.ts';

export type OperateDeps = {
  readonly store: Pick<OnboardingStore, 'load' | 'save'>;
  /** The onboarding queue. */
  readonly queue: Queue;
  readonly settings: OnboardingSettings;
  readonly now: () => Date;
};

/** What an operator can do to an onboarding. */
export type Operation = 'cancel' | 'retry';

export type OperationOutcome =
  | { readonly outcome: 'DONE'; readonly row: OnboardingRow }
  /** It is at a step at which that cannot be done; or what it would need was deleted. */
  | { readonly outcome: 'IMPOSSIBLE'; readonly row: OnboardingRow }
  | { readonly outcome: 'NOT_FOUND' }
  | { readonly outcome: 'ERASED' };

/** How often it is tried where somebody else writes the same onboarding. */
const mostTries = 3;

/** Does what an operator wants. Can be repeated. @throws when DynamoDB or SQS did not confirm: it must be sent again */
export function createOperate({ store, queue, settings, now }: OperateDeps) {
  return async (operation: Operation, onboardingId: string): Promise<OperationOutcome> => {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const row = await store.load(onboardingId);
      if (row === undefined) return { outcome: 'NOT_FOUND' };
      if (isErased(row)) return { outcome: 'ERASED' };
      const occurrence = operation === 'cancel' ? cancelOf(row) : retryOf(row);
      if (occurrence === 'done before') return handOver(row);
      if (occurrence === undefined) return { outcome: 'IMPOSSIBLE', row };
      const next = changeRow(row, occurrence, now().toISOString());
      const saved = { ...next, expiresAt: expiresAt(next.state, settings) };
      if (await store.save(saved)) return handOver(saved);
    }
    throw new OnboardingContentionError('Others were writing the onboarding each time: do it again.');
  };

  /** What is to be published, and what is to be done next, is up to advance. */
  async function handOver(row: OnboardingRow): Promise<OperationOutcome> {
    await queue.send(writeOnboardingMessage(row.onboardingId));
    return { outcome: 'DONE', row };
  }
}

function cancelOf({ state: { step } }: OnboardingRow): Occurrence | 'done before' | undefined {
  if (step === 'CANCELED') return 'done before';
  return can(step, 'Canceled') ? { type: 'Canceled' } : undefined;
}

/**
 * Where it waits, its step gets its whole time again; where it has stopped or ended, it begins where it makes sense. Where the
 * platform refused the requestor, it goes back to the call: only a call shows whether the platform accepts the requestor now.
 */
function retryOf({ state, data, erasingOn }: OnboardingRow): Occurrence | undefined {
  if (erasingOn !== undefined) return undefined;
  if (can(state.step, 'Resumed') && !can(state.step, 'Retried')) return { type: 'Resumed' };
  if (state.naturalPersonId === undefined)
    return can(state.step, 'Restarted') && data.person !== undefined ? { type: 'Restarted' } : undefined;
  const isMissing = state.mode === 'supplied' && !state.isIdentified && data.identification === undefined;
  return can(state.step, 'Retried') && !isMissing ? { type: 'Retried' } : undefined;
}
