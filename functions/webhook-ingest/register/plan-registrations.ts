import { isOurs, originOf } from '#shared/events/own-webhook.ts';
import { eventTypeName } from '#shared/platform/profile/event-place.ts';
import type { Webhook, WebhookData } from '#shared/platform/resources/webhooks.ts';
import { type Difference, differencesOf, urlOf, type WantedWebhook } from './compare-webhook.ts';

export type WantedRegistrations = WantedWebhook & { readonly eventTypes: readonly string[] };

/** What the platform says that is. */
export type FoundRegistrations = {
  readonly webhooks: readonly Webhook[];
  /** Whether it lists a webhook whose event type cannot be read: that may be one of a type that seems to have none. */
  readonly hasUnreadable?: boolean;
  /** The event types that the platform knows and that have no webhook; undefined when it does not list them. */
  readonly missing: readonly string[] | undefined;
};

/** What is done only when an operator asks for it, by event type. */
export type PlanOptions = {
  /** Registered for another URL: replaced by ours. */
  readonly takeOver?: readonly string[] | undefined;
  /** Ours, and no longer configured: removed. */
  readonly remove?: readonly string[] | undefined;
};

/** What is to happen to one webhook. */
export type PlannedWebhook = { readonly eventType: string } & (
  | { readonly action: 'create'; readonly isKnown: boolean }
  | { readonly action: 'update' | 'take over'; readonly differences: readonly Difference[] }
  | { readonly action: 'remove' | 'unchanged' | 'obsolete' | 'undecided' }
  | { readonly action: 'not ours'; readonly origin: string }
);

export type RegistrationPlan = {
  readonly webhooks: readonly PlannedWebhook[];
  /** Event types that the platform knows, and that the settings do not name. */
  readonly notConfigured: readonly string[];
};

/**
 * What has to be done so that the platform delivers every configured event type to us.
 *
 * What is not ours is left alone, and so is what is ours and no longer configured: events of a type without a
 * webhook are kept by no system. What cannot be read proves nothing: a type that may have a webhook already is left alone, and an alarm
 * follows.
 */
export function planRegistrations(
  wanted: WantedRegistrations,
  { webhooks, hasUnreadable = false, missing }: FoundRegistrations,
  options: PlanOptions = {},
): RegistrationPlan {
  // Any other type cannot be named in a call.
  const listed = webhooks.filter(({ eventType }) => isEventTypeName(eventType));
  const registered = new Set(listed.map(({ eventType }) => eventType));
  const absent = [...new Set(wanted.eventTypes)].filter((eventType) => !registered.has(eventType));
  const planned = [
    ...listed.map((webhook) => planWebhook(wanted, webhook, options)).filter((one) => one !== undefined),
    ...absent.map((eventType) => (hasUnreadable ? undecided(eventType) : planAbsent(eventType, missing))),
  ];
  const spokenOf = new Set(planned.map(({ eventType }) => eventType));
  const known = new Set([...registered, ...(missing ?? []).filter(isEventTypeName)]);
  return { webhooks: planned, notConfigured: [...known].filter((eventType) => !spokenOf.has(eventType)) };
}

/** Undefined when the webhook is not ours and blocks none of ours. */
function planWebhook(
  wanted: WantedRegistrations,
  webhook: Webhook,
  { takeOver = [], remove = [] }: PlanOptions,
): PlannedWebhook | undefined {
  const { eventType, url } = webhook;
  const isConfigured = wanted.eventTypes.includes(eventType);
  const differences = differencesOf(wanted, webhook);
  if (!isOurs(wanted, webhook)) {
    if (!isConfigured) return undefined;
    if (takeOver.includes(eventType)) return { eventType, action: 'take over', differences };
    return { eventType, action: 'not ours', origin: originOf(url) };
  }
  if (!isConfigured && remove.includes(eventType)) return { eventType, action: 'remove' };
  if (differences.length > 0) return { eventType, action: 'update', differences };
  return { eventType, action: isConfigured ? 'unchanged' : 'obsolete' };
}

/** To register it could replace the webhook of another system. */
function undecided(eventType: string): PlannedWebhook {
  return { eventType, action: 'undecided' };
}

function planAbsent(eventType: string, missing: FoundRegistrations['missing']): PlannedWebhook {
  return { eventType, action: 'create', isKnown: missing === undefined || missing.includes(eventType) };
}

function isEventTypeName(eventType: string): boolean {
  return eventTypeName.safeParse(eventType).success;
}

/** What an event type is registered with. */
export function webhookDataOf(wanted: WantedWebhook, eventType: string): WebhookData {
  const headers = [{ name: wanted.header, value: wanted.secret.current }];
  return { eventType, url: urlOf(wanted, eventType), headers };
}

/** Whether there is anything to do for this webhook. */
export function isPending({ action }: PlannedWebhook): boolean {
  return action === 'create' || action === 'update' || action === 'take over' || action === 'remove';
}

/** Whether another system has changed a webhook of ours. */
export function isDrifted(planned: PlannedWebhook): boolean {
  return planned.action === 'update' && planned.differences.some((difference) => difference !== 'previous secret');
}

/** Whether every webhook of ours has the current secret: no delivery begins with another from now on. */
export function isRotated({ webhooks }: RegistrationPlan): boolean {
  return !webhooks.some(({ action }) => action === 'update' || action === 'remove' || action === 'undecided');
}
