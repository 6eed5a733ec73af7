import { videoCallsAt } from '#sandbox/platform/verifications/identification-verification-schema.ts';
import type { ReceivedWebhook } from '#test/simulation/system/gateway.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import type { BrokenPromise } from './promise.ts';

/** Promise 8: no personal data, token or secret in a line. All secrets of the simulation, and all payloads, say so. */
export function checkLine({ platform }: SimulatedSystem, line: string): BrokenPromise | undefined {
  if (line.includes('CANARY')) return { promise: 8, what: `Personal data or a secret is written: ${line}` };
  if (opensVideoCall(line)) return { promise: 8, what: `The URL of a video call is written: ${line}` };
  for (const token of platform.tokens.keys())
    if (line.includes(token)) return { promise: 8, what: 'A token is written.' };
  return undefined;
}

/** Promise 8: nor on the bus, whose events leave the account. */
export function checkBus({ cloud }: SimulatedSystem): BrokenPromise | undefined {
  const events = cloud.eventBridge.published();
  const leak = events.find(({ detail }) => detail.includes('CANARY') || opensVideoCall(detail));
  return leak && { promise: 8, what: `Personal data or a secret is published: ${leak.detail}` };
}

/** Whether a text holds an identificationUrl: whoever has one can take the person's video call. */
function opensVideoCall(text: string): boolean {
  return text.includes(videoCallsAt);
}

/** In milliseconds: for how long a secret may be accepted that is not in force any more. */
const maxAcceptedMs = 6 * 60_000;

/**
 * Promise 1: what was answered with success is in the queue. Promise 8: what came without a secret that was in force of
 * late is not.
 */
export function checkReceivedWebhook(system: SimulatedSystem, webhook: ReceivedWebhook): BrokenPromise | undefined {
  const { deliveryId, headers, status } = webhook;
  const isTaken = [...system.cloud.sent()].some((text) => text.includes(`"deliveryId":"${deliveryId}"`));
  if (status < 300 && !isTaken)
    return { promise: 1, what: `${deliveryId} is answered ${status}, and is not in the queue.` };
  const isKnown = secretsInForce(system).has(headers[system.environment.secretHeader.toLowerCase()] ?? '');
  if (isTaken && !isKnown) return { promise: 8, what: `${deliveryId} is taken in without a valid secret.` };
  if (status === 401 && isRegistered(system, webhook))
    return { promise: 1, what: `${deliveryId} is refused with the very header that is registered.` };
  return undefined;
}

/** Kinds of faults with which a secret may be refused for a moment that is registered already. */
const excuses = ['clock skew', 'stale read', 'late platform request', 'registration changed by somebody else'] as const;

/** In milliseconds: a delivery may have begun with what was registered so long ago. */
const maxDeliveryMs = 60_000;

function isRegistered(system: SimulatedSystem, { eventType, headers: sent }: ReceivedWebhook): boolean {
  const { faults, platform, scheduler } = system;
  if (excuses.some((kind) => faults.isEnabled(kind))) return false;
  return platform.registered.some(
    ({ from, until, headers, ...one }) =>
      one.eventType === eventType &&
      scheduler.now() - until < maxDeliveryMs &&
      headers.length > 0 &&
      headers.every(({ name, value }) => sent[name.toLowerCase()] === value && isAcceptedAt(system, value, from)),
  );
}

/** Another writer may register a secret that was retired before: that secret is refused, as it must be. */
function isAcceptedAt({ cloud }: SimulatedSystem, secret: string, time: number): boolean {
  const versions = cloud.secretsManager.versions('webhook-secret').filter(({ createdAt }) => createdAt <= time);
  return Object.entries(JSON.parse(versions.at(-1)?.text ?? '{}'))
    .flatMap(secretIn)
    .includes(secret);
}

function secretsInForce({ cloud, scheduler }: SimulatedSystem): ReadonlySet<string> {
  const versions = cloud.secretsManager.versions('webhook-secret');
  const inForce = versions.filter((_, index) => {
    const next = versions[index + 1];
    return next === undefined || scheduler.now() - next.createdAt < maxAcceptedMs;
  });
  return new Set(inForce.flatMap(({ text }) => Object.entries(JSON.parse(text)).flatMap(secretIn)));
}

function secretIn([name, value]: readonly [string, unknown]): readonly string[] {
  return (name === 'current' || name === 'previous') && typeof value === 'string' ? [value] : [];
}
