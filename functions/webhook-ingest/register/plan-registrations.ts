import { isOurs, type OwnWebhooks, originOf } from '#shared/events/webhook-delivery.ts';
import { eventTypeName } from '#shared/platform/profile/event-place.ts';
import type { Webhook, WebhookData } from '#shared/platform/resources/webhooks.ts';

/** What all of our webhooks have in common: only the end of the URL differs. */
export type WantedWebhook = OwnWebhooks & {
  /** The name of the header that carries the secret. */
  readonly header: string;
};

/** What differs, never the value of a header. `previous secret`: the webhook has the secret that a rotation is about to retire. */
export type Difference = 'url' | 'header name' | 'header value' | 'previous secret' | 'other headers';

/** How a webhook differs from the wanted one. */
export function differencesOf(wanted: WantedWebhook, webhook: Webhook): readonly Difference[] {
  const url = urlOf(wanted, webhook.eventType);
  const isThere = URL.canParse(webhook.url) && new URL(webhook.url).href === new URL(url).href;
  return [...(isThere ? [] : (['url'] as const)), ...headerDifferences(wanted, webhook.headers ?? [])];
}

/** Where an event type is delivered. */
export function urlOf({ webhooksUrl }: Pick<WantedWebhook, 'webhooksUrl'>, eventType: string): string {
  return `${webhooksUrl}/${eventType}`;
}

type Headers = readonly { readonly name: string; readonly value: string }[];

/** Names of headers are the same in any case. */
function headerDifferences({ header, secret }: WantedWebhook, headers: Headers): readonly Difference[] {
  const named = headers.find(({ name }) => name.toLowerCase() === header.toLowerCase());
  const carrier = named ?? headers.find(({ value }) => value === secret.current);
  const others: readonly Difference[] = headers.some((one) => one !== carrier) ? ['other headers'] : [];
  if (carrier === undefined) return ['header name', 'header value', ...others];
  if (named === undefined) return ['header name', ...others];
  return [...valueDifference(secret, named.value), ...others];
}

function valueDifference({ current, previous }: WantedWebhook['secret'], value: string): readonly Difference[] {
  if (value === current) return [];
  return value === previous ? ['previous secret'] : ['header value'];
}

export type WantedRegistrations = WantedWebhook & { readonly eventTypes: readonly string[] };

/** The registrations on the platform. */
export type FoundRegistrations = {
  readonly webhooks: readonly Webhook[];
  /** Whether the list has a webhook with an unreadable event type. A type that seems to have no webhook may be the one of that webhook. */
  readonly hasUnreadable?: boolean;
  /** The event types that the platform knows and that have no webhook; undefined when it does not list them. */
  readonly missing: readonly string[] | undefined;
};

/** The event types for which an operator has requested a change. */
export type PlanOptions = {
  /** Registered for another URL: replaced by ours. */
  readonly takeOver?: readonly string[] | undefined;
  /** Ours, and no longer configured: removed. */
  readonly remove?: readonly string[] | undefined;
};

/** The plan for one webhook. */
export type PlannedWebhook = { readonly eventType: string } & (
  | { readonly action: 'create'; readonly isKnown: boolean }
  | { readonly action: 'update' | 'take over'; readonly differences: readonly Difference[] }
  | { readonly action: 'remove' | 'unchanged' | 'obsolete' | 'undecided' }
  | { readonly action: 'not ours'; readonly origin: string }
);

export type RegistrationPlan = {
  readonly webhooks: readonly PlannedWebhook[];
  /** Event types that the platform knows, and the settings do not name. */
  readonly notConfigured: readonly string[];
};

/**
 * The changes after which the platform delivers every configured event type to us.
 *
 * Webhooks of other systems are not changed. Nor are our webhooks of types that are no longer configured: without a webhook, no
 * system would store their events. A type that may have an unreadable webhook is not changed either, and an alarm follows.
 */
export function planRegistrations(
  wanted: WantedRegistrations,
  { webhooks, hasUnreadable = false, missing }: FoundRegistrations,
  options: PlanOptions = {},
): RegistrationPlan {
  // Any other type cannot be named in a call.
  const listed = webhooks.filter(({ eventType }) => isEventTypeName(eventType));
  const registered = new Set<string>(listed.map(({ eventType }) => eventType));
  const absent = [...new Set(wanted.eventTypes)].filter((eventType) => !registered.has(eventType));
  const planned = [
    ...listed.map((webhook) => planWebhook(wanted, webhook, options)).filter((one) => one !== undefined),
    ...absent.map((eventType) => (hasUnreadable ? undecided(eventType) : planAbsent(eventType, missing))),
  ];
  const spokenOf = new Set(planned.map(({ eventType }) => eventType));
  const known = new Set([...registered, ...(missing ?? []).filter(isEventTypeName)]);
  return { webhooks: planned, notConfigured: [...known].filter((eventType) => !spokenOf.has(eventType)) };
}

/** Undefined if the webhook is not ours and blocks none of our event types. */
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

/** Registering this type could replace the webhook of another system. */
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

/** Whether another system has changed one of our webhooks. */
export function isDrifted(planned: PlannedWebhook): boolean {
  return planned.action === 'update' && planned.differences.some((difference) => difference !== 'previous secret');
}

/** Whether each of our webhooks has the current secret: from now on every delivery begins with it. */
export function isRotated({ webhooks }: RegistrationPlan): boolean {
  return !webhooks.some(({ action }) => action === 'update' || action === 'remove' || action === 'undecided');
}

/** The plan as text, a line for each webhook like `cdk diff`, with the changes first. Never has a value. */
export function describePlan({ webhooks, notConfigured }: RegistrationPlan): readonly string[] {
  const lines = webhooks
    .toSorted((one, other) => compare(rank(one), rank(other)) || compare(one.eventType, other.eventType))
    .map((planned) => `${marks[planned.action]} ${planned.eventType}: ${describe(planned)}`);
  const unknown = notConfigured.toSorted().map((eventType) => `  ${eventType}: not configured, left alone`);
  return [...lines, ...unknown];
}

const marks: Readonly<Record<PlannedWebhook['action'], string>> = {
  create: '+',
  update: '~',
  'take over': '~',
  remove: '-',
  'not ours': '!',
  undecided: '!',
  obsolete: '!',
  unchanged: ' ',
};

function describe(planned: PlannedWebhook): string {
  switch (planned.action) {
    case 'create':
      return planned.isKnown ? 'create' : 'create, although the platform does not seem to know it';
    case 'update':
    case 'take over':
      return `${planned.action} (${planned.differences.join(', ')})`;
    case 'not ours':
      return `leads to ${planned.origin}, not ours: take it over to replace it`;
    case 'obsolete':
      return 'registered by Drawbridge, but no longer configured: remove it to get no more of its deliveries';
    case 'undecided':
      return 'not registered: the platform lists a webhook whose event type cannot be read, and that may be this one';
    default:
      return planned.action;
  }
}

function rank(planned: PlannedWebhook): number {
  if (isPending(planned)) return 0;
  return planned.action === 'unchanged' ? 2 : 1;
}

function compare<Value extends number | string>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
