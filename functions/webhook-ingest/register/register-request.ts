import * as z from 'zod/mini';
import { InvalidRequestError } from '#shared/drawbridge-error.ts';
import { eventTypeName } from '#shared/platform/profile/event-place.ts';

const eventTypes = z._default(z.array(eventTypeName), []);

/** What `register` is invoked with. Strict: a typo must not apply what was only to be shown. */
const registerRequest = z.strictObject({
  /**
   * `plan` shows what is to be done, and does nothing. `apply` does it, and takes a rotation further. `rotate` is `apply`,
   * and begins a rotation of the secret where none is under way. `retire` is `apply`, and ends a rotation that need not wait
   * any longer, as when the previous secret has leaked.
   */
  mode: z.enum(['plan', 'apply', 'rotate', 'retire']),
  /** Configured event types whose webhook is not ours: replace it. */
  takeOver: eventTypes,
  /** Event types that are no longer configured: remove our webhook. */
  remove: eventTypes,
});

export type RegisterRequest = z.infer<typeof registerRequest>;

/** `register` was invoked with what it does not know. Nothing was done. */
export class RegisterRequestError extends InvalidRequestError {
  override readonly name = 'RegisterRequestError';
}

/** @throws {RegisterRequestError} */
export function readRegisterRequest(event: unknown, configured: readonly string[]): RegisterRequest {
  const result = registerRequest.safeParse(event);
  if (!result.success)
    throw new RegisterRequestError(
      'Invoke register with {"mode": "plan" | "apply" | "rotate" | "retire"}, and "takeOver" or "remove" with lists of event types where you mean it.',
    );
  const { takeOver, remove } = result.data;
  refuse(
    takeOver.filter((eventType) => !configured.includes(eventType)),
    'cannot be taken over: configure it first',
  );
  refuse(
    remove.filter((eventType) => configured.includes(eventType)),
    'cannot be removed: it is configured, and would be registered again',
  );
  return result.data;
}

function refuse(eventTypes: readonly string[], reason: string): void {
  if (eventTypes.length > 0) throw new RegisterRequestError(`${eventTypes.join(', ')} ${reason}.`);
}
