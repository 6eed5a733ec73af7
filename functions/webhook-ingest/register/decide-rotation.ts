import type { StoredWebhookSecret } from '#shared/secrets/webhook-secret.ts';

/**
 * The next step of a rotation. `start`: a new secret becomes the current one, and the one before is still accepted.
 * `confirm`: note that every webhook is registered with it. `restart`: note that one of them no longer is. `retire`: the
 * previous secret is accepted no longer.
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
  /** In milliseconds: a secret of this age is replaced without being asked. */
  readonly interval: number;
  /**
   * In milliseconds: for how long the previous secret is accepted once every webhook is registered with the current one,
   * for deliveries that were under way, or are sent again, with the headers of before.
   */
  readonly overlap: number;
};

/**
 * Decides on nothing but what is stored and what the platform lists, so that the next run continues where the one before
 * stopped. One rotation at a time: there is room for one previous secret.
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
