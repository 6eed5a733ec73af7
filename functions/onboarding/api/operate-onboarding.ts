import { changeRow, lacksIdentification } from '#functions/onboarding/state-machine/evolve.ts';
import { expiresAt } from '#functions/onboarding/state-machine/timing.ts';
import { accepts, type Input } from '#functions/onboarding/state-machine/transitions.ts';
import { ConflictError, retryOnConflict } from '#shared/aws/dynamodb.ts';
import type { Queue } from '#shared/aws/queue.ts';
import type { Log } from '#shared/lambda/log.ts';
import { writeOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { type OnboardingStore, onboardingRetries } from '#shared/onboarding/onboarding-store.ts';

type OperateDeps = {
  readonly store: Pick<OnboardingStore, 'load' | 'save'>;
  /** The onboarding queue. */
  readonly queue: Queue;
  readonly settings: OnboardingSettings;
  readonly now: () => Date;
  readonly log: Pick<Log, 'info'>;
};

/** What an operator can do to an onboarding. */
export type Operation = 'cancel' | 'retry';

export type OperationOutcome =
  | { readonly outcome: 'DONE'; readonly row: OnboardingRow }
  /** The step does not allow the operation, the data of the person was deleted, or an erasure has begun. */
  | { readonly outcome: 'IMPOSSIBLE'; readonly row: OnboardingRow }
  /** The step allows a retry, but the identification that it needs was deleted. */
  | { readonly outcome: 'IDENTIFICATION_DELETED'; readonly row: OnboardingRow }
  | { readonly outcome: 'NOT_FOUND' }
  | { readonly outcome: 'ERASED' };

/** Cancels or retries an onboarding. Can be repeated. @throws when DynamoDB or SQS did not confirm: the request must be sent again */
export function createOperate({ store, queue, settings, now, log }: OperateDeps) {
  return (operation: Operation, onboardingId: string): Promise<OperationOutcome> =>
    retryOnConflict(onboardingRetries, async () => {
      const row = await store.load(onboardingId);
      if (row === undefined) return { outcome: 'NOT_FOUND' };
      if (isErased(row)) return { outcome: 'ERASED' };
      const input = operation === 'cancel' ? cancelOf(row) : retryOf(row);
      if (input === 'done before') return handOver(row);
      if (input === 'identification deleted') return { outcome: 'IDENTIFICATION_DELETED', row };
      if (input === undefined) return { outcome: 'IMPOSSIBLE', row };
      const next = changeRow(row, input, now().toISOString());
      const saved = { ...next, expiresAt: expiresAt(next.state, settings) };
      if (!(await store.save(saved))) throw new ConflictError('Other writers changed the onboarding: do it again.');
      // The history shows the actions of operators together with those of `advance`.
      log.info('onboarding advanced', { onboardingId, step: saved.state.step, reason: input.type });
      return handOver(saved);
    });

  /** `advance` publishes the events, and decides what to do next. */
  async function handOver(row: OnboardingRow): Promise<OperationOutcome> {
    await queue.send(writeOnboardingMessage(row.onboardingId));
    return { outcome: 'DONE', row };
  }
}

function cancelOf({ state: { step } }: OnboardingRow): Input | 'done before' | undefined {
  if (step === 'CANCELED') return 'done before';
  return accepts(step, 'Canceled') ? { type: 'Canceled' } : undefined;
}

/**
 * A waiting onboarding gets the whole time of its step again; one that has stopped or ended starts at a suitable step. If the platform
 * refused the requestor, the onboarding repeats the call: only a call shows whether the platform accepts the requestor now.
 */
function retryOf(row: OnboardingRow): Input | 'identification deleted' | undefined {
  const { state, data, erasingOn } = row;
  if (erasingOn !== undefined) return undefined;
  if (accepts(state.step, 'Resumed') && !accepts(state.step, 'Retried')) return { type: 'Resumed' };
  if (state.naturalPersonId === undefined)
    return accepts(state.step, 'Restarted') && data.person !== undefined ? { type: 'Restarted' } : undefined;
  if (!accepts(state.step, 'Retried')) return undefined;
  return lacksIdentification(row) ? 'identification deleted' : { type: 'Retried' };
}
