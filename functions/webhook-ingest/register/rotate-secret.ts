import type { Log } from '#shared/lambda/log.ts';
import type { StoredWebhookSecret, WebhookSecretStore, WebhookSecretValue } from '#shared/secrets/webhook-secret.ts';
import { decideRotation, type RotationRules, type RotationStep } from './decide-rotation.ts';
import { isRotated, type RegistrationPlan } from './plan-registrations.ts';
import type { RegistrationResult } from './reconcile-registrations.ts';

export type RotationDeps = {
  readonly secrets: WebhookSecretStore;
  /** Returns a secret of at least 32 characters, all of which an HTTP header can hold. */
  readonly newSecret: () => string;
  readonly now: () => Date;
  readonly log: Log;
};

export type RotationRun = {
  /** The secret, and the listed webhooks compared with it. */
  readonly reconciled: Pick<RegistrationResult, 'secret' | 'after'>;
  /** Registers every webhook with another secret. */
  readonly reconcile: (secret: StoredWebhookSecret) => Promise<RegistrationResult>;
};

/**
 * Continues a rotation of the webhook secret as far as possible now, or begins one.
 *
 * @returns the progress, as text
 * @throws `VersionedSecretError`, and what `reconcile` throws
 */
export async function rotateSecret(deps: RotationDeps, rules: RotationRules, run: RotationRun): Promise<string> {
  const step = decideNow(deps, rules, run.reconciled);
  if (step !== 'start') return take(deps, step, run.reconciled.secret);
  const reconciled = await run.reconcile(await start(deps, run.reconciled.secret));
  return take(deps, decideNow(deps, { ...rules, isAsked: false }, reconciled), reconciled.secret);
}

/** The next step. */
export function decideNow(
  { now }: Pick<RotationDeps, 'now'>,
  rules: RotationRules,
  { secret, after }: RotationRun['reconciled'],
): RotationStep {
  return decideRotation({ secret, isRotated: isRotated(after), now: now() }, rules);
}

/**
 * Restarts the overlap before a webhook that has lost the current secret gets it back: its deliveries may have begun with the previous
 * secret until now. Saved before the change and not after it: otherwise the next run after a crash could retire the secret too early.
 */
export async function restartOverlap(
  deps: RotationDeps,
  stored: StoredWebhookSecret,
  before: RegistrationPlan,
): Promise<StoredWebhookSecret> {
  if (stored.registeredOn === undefined || isRotated(before)) return stored;
  await take(deps, 'restart', stored);
  return deps.secrets.read();
}

/** From now on both secrets are accepted. */
async function start(deps: RotationDeps, stored: StoredWebhookSecret): Promise<StoredWebhookSecret> {
  await replace(deps, stored, { current: deps.newSecret(), previous: stored.current }, 'start');
  // Of two runs that begin at the same time, both continue with one secret.
  return deps.secrets.read();
}

async function take(deps: RotationDeps, step: RotationStep, stored: StoredWebhookSecret): Promise<string> {
  const value = valueAfter(step, stored, deps.now());
  const isStored = value === undefined || (await replace(deps, stored, value, step));
  return isStored ? describeRotation(step, stored) : changedByOther;
}

/** What the step stores; undefined if it stores nothing. */
function valueAfter(step: RotationStep, stored: StoredWebhookSecret, now: Date): WebhookSecretValue | undefined {
  const { current, previous } = stored;
  if (step === 'confirm') return { current, previous, registeredOn: now };
  if (step === 'restart') return { current, previous };
  return step === 'retire' ? { current } : undefined;
}

async function replace(
  { secrets, log }: RotationDeps,
  stored: StoredWebhookSecret,
  value: WebhookSecretValue,
  step: RotationStep,
): Promise<boolean> {
  const isStored = (await secrets.replace(stored, value)) === 'stored';
  if (isStored) log.info('webhook secret rotation', { reason: step });
  else log.warn('webhook secret changed by another run', { reason: step });
  return isStored;
}

const changedByOther = 'Another run has changed the secret: the next run continues with what is stored.';

/** A step of a rotation, as text. */
export function describeRotation(
  step: RotationStep,
  { registeredOn }: Pick<StoredWebhookSecret, 'registeredOn'>,
): string {
  switch (step) {
    case 'none':
      return 'No rotation is under way.';
    case 'start':
      return 'A rotation of the secret is due.';
    case 'wait':
      return registeredOn === undefined
        ? 'Both secrets are accepted: not every webhook has the new one yet.'
        : `Both secrets are accepted: every webhook has had the new one since ${registeredOn.toISOString()}.`;
    case 'confirm':
      return 'Both secrets are accepted: every webhook has the new one from now on.';
    case 'restart':
      return 'Both secrets are accepted, and the overlap begins again: a webhook had lost the new one, or is to be removed.';
    case 'retire':
      return 'The previous secret is accepted no longer.';
  }
}
