import type { StoredWebhookSecret } from '#shared/secrets/webhook-secret.ts';

/**
 * The next step of a rotation. `start`: a new secret becomes the current one, and the previous one is still accepted.
 * `confirm`: records that every webhook has the current secret. `restart`: records that one has lost it. `retire`: the previous
 * secret is not accepted any more.
 */
export type RotationStep = 'none' | 'start' | 'wait' | 'confirm' | 'restart' | 'retire';

export type RotationState = {
  readonly secret: Pick<StoredWebhookSecret, 'previous' | 'registeredOn' | 'createdOn'>;
  /** Whether each of our webhooks has the current secret, as the platform lists them now. */
  readonly isRotated: boolean;
  readonly now: Date;
};

export type RotationRules = {
  /** Whether an operator asks for a new secret now. */
  readonly isAsked: boolean;
  /** In milliseconds: a secret of this age is rotated automatically. */
  readonly interval: number;
  /**
   * In milliseconds: how long the previous secret is accepted once every webhook has the current one, since deliveries may still
   * arrive, or be sent again, with the previous headers.
   */
  readonly overlap: number;
};

/**
 * Depends only on what is stored and what the platform lists, so that the next run continues where the run before stopped. One
 * rotation at a time: only one previous secret is stored.
 */
export function decideRotation({ secret, isRotated, now }: RotationState, rules: RotationRules): RotationStep {
  const { previous, registeredOn, createdOn } = secret;
  const hasPassed = (time: Date, duration: number) => now.getTime() - time.getTime() >= duration;
  if (previous === undefined) {
    const isDue = isRotated && hasPassed(createdOn, rules.interval);
    return rules.isAsked || isDue ? 'start' : 'none';
  }
  if (!isRotated) return registeredOn === undefined ? 'wait' : 'restart';
  if (registeredOn === undefined) return 'confirm';
  return hasPassed(registeredOn, rules.overlap) ? 'retire' : 'wait';
}
