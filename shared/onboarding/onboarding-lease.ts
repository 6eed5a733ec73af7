/**
 * In milliseconds: for how long a due onboarding belongs to the message that was sent for it. It is the visibility timeout of the
 * onboarding queue. If nothing came of the message by then, the onboarding is due again.
 */
export const leaseMs = 720_000;

/** When a lease that begins now ends. */
export function endOfLease(now: Date): string {
  return new Date(now.getTime() + leaseMs).toISOString();
}
