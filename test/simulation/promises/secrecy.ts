import { videoCallsAt } from '#sandbox/platform/verifications/identification-verification-schema.ts';
import type { ReceivedWebhook } from '#test/simulation/system/gateway.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import type { BrokenPromise } from './promise.ts';

/** Promise 8: no log line contains personal data, a token or a secret. All secrets and payloads contain a marker. */
export function checkLine({ platform, judged }: SimulatedSystem, line: string): BrokenPromise | undefined {
  judged(8);
  if (line.includes('CANARY')) return { promise: 8, what: `A log line contains personal data or a secret: ${line}` };
  if (opensVideoCall(line)) return { promise: 8, what: `A log line contains the URL of a video call: ${line}` };
  for (const token of platform.tokens.keys())
    if (line.includes(token)) return { promise: 8, what: 'A log line contains a token.' };
  return undefined;
}

/** Promise 8: no bus event contains personal data or a secret, because bus events leave the account. */
export function checkBus({ cloud, judged }: SimulatedSystem): BrokenPromise | undefined {
  const events = cloud.eventBridge.published();
  judged(8, events.length);
  const leak = events.find(({ detail }) => detail.includes('CANARY') || opensVideoCall(detail));
  return leak && { promise: 8, what: `Personal data or a secret is published: ${leak.detail}` };
}

/** Whether a text contains an identificationUrl, which gives access to the person's video call. */
function opensVideoCall(text: string): boolean {
  return text.includes(videoCallsAt);
}

/** In milliseconds: how long a retired secret may still be accepted, and how long while Secrets Manager fails. */
const maxAcceptedMs = 6 * 60_000;
const maxAcceptedInOutageMs = 61 * 60_000;

/**
 * Promise 1: a webhook that was answered with success is in the queue. Promise 8: a webhook without a recently valid secret is
 * not.
 */
export function checkReceivedWebhook(system: SimulatedSystem, webhook: ReceivedWebhook): BrokenPromise | undefined {
  const { deliveryId, headers, status } = webhook;
  system.judged(status < 300 ? 1 : 8);
  const isTaken = system.cloud.sends().findLast((text) => text.includes(`"deliveryId":"${deliveryId}"`)) !== undefined;
  if (status < 300 && !isTaken)
    return { promise: 1, what: `${deliveryId} is answered ${status}, and is not in the queue.` };
  const isKnown = secretsInForce(system).has(headers[system.environment.secretHeader.toLowerCase()] ?? '');
  if (isTaken && !isKnown) return { promise: 8, what: `${deliveryId} is accepted without a valid secret.` };
  if (status === 401 && isRegistered(system, webhook))
    return { promise: 1, what: `${deliveryId} is refused although its header is registered.` };
  return undefined;
}

/** Kinds of faults with which a registered secret may be refused for a moment. */
const excuses = [
  'clock skew',
  'stale read',
  'late platform request',
  'registration changed by another system',
] as const;

/** In milliseconds: the maximum duration of a delivery, whose registration can have changed since its start. */
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

/** Whether a secret was valid at a time. Another system can register a retired secret, which must be refused. */
function isAcceptedAt({ cloud }: SimulatedSystem, secret: string, time: number): boolean {
  const versions = cloud.secretsManager.versions('webhook-secret').filter(({ createdAt }) => createdAt <= time);
  return Object.entries(JSON.parse(versions.at(-1)?.text ?? '{}'))
    .flatMap(secretIn)
    .includes(secret);
}

function secretsInForce({ cloud, scheduler, isSecretsManagerFailing }: SimulatedSystem): ReadonlySet<string> {
  const acceptedMs = isSecretsManagerFailing() ? maxAcceptedInOutageMs : maxAcceptedMs;
  const versions = cloud.secretsManager.versions('webhook-secret');
  const inForce = versions.filter((_, index) => {
    const next = versions[index + 1];
    return next === undefined || scheduler.now() - next.createdAt < acceptedMs;
  });
  return new Set(inForce.flatMap(({ text }) => Object.entries(JSON.parse(text)).flatMap(secretIn)));
}

function secretIn([name, value]: readonly [string, unknown]): readonly string[] {
  return (name === 'current' || name === 'previous') && typeof value === 'string' ? [value] : [];
}
