import { createRandom, shuffled } from '#sandbox/platform/core/random.ts';
import { markerWords } from './marker-words.ts';

/** One webhook to send. Notifications with the same `event` have equal content and are one event. */
export type Notification = { readonly event: number; readonly eventType: string; readonly body: string };

export type NotificationsOptions = {
  readonly seed: number;
  readonly events: number;
  /** The number of events that are sent twice. */
  readonly duplicates: number;
  /** Whether events of this type are sent; all are by default. */
  readonly isSent?: (eventType: string) => boolean;
};

/** An event type that the platform has introduced since the specification was written. */
export const unknownEventType = 'SHARED_WALLET_NOTIFICATION';

/** An event type that the scenario sends, the name of its id field, and some of its statuses: a load needs not all of them. */
type Kind = readonly [eventType: string, id: string, statuses: readonly [string, ...string[]]];

const kinds: readonly [Kind, ...Kind[]] = [
  ['NATURAL_PERSON_NOTIFICATION', 'naturalPersonId', ['RECEIVED', 'CREATED', 'PENDING', 'ACTIVE']],
  ['IDENTIFICATION_VERIFICATION_NOTIFICATION', 'identificationVerificationId', ['RECEIVED', 'PENDING', 'APPROVED']],
  ['TRADITIONAL_ASSET_ORDER_NOTIFICATION', 'orderId', ['PENDING', 'FILLED', 'SETTLED', 'REJECTED']],
  ['DIGITAL_ASSET_ORDER_NOTIFICATION', 'orderId', ['PENDING', 'FILLED', 'SETTLED']],
  ['TRANSFER_NOTIFICATION', 'transferId', ['PENDING', 'PROCESSED', 'REJECTED']],
  ['CUSTOMER_NOTIFICATION', 'customerId', ['RECEIVED', 'ACTIVE']],
  ['DOCUMENT_NOTIFICATION', 'documentId', ['RECEIVED', 'CREATED']],
  ['PROXY_NOTIFICATION', 'proxyId', ['CREATED', 'ACTIVE']],
  ['CORPORATE_ACTION_NOTIFICATION', 'corporateActionId', ['RECEIVED']],
  [unknownEventType, 'walletId', ['OPENED']],
];

/** One event in this many is malformed: the scenario shows its quarantine. */
const malformedEvery = 100;

/** Creates notifications of several types in random order, some of them twice in different notations. */
export function createNotifications({
  seed,
  events,
  duplicates,
  isSent = () => true,
}: NotificationsOptions): readonly Notification[] {
  const random = createRandom(seed);
  const [firstKind = kinds[0], ...otherKinds] = kinds.filter(([eventType]) => isSent(eventType));
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[Math.floor(random() * items.length)] ?? items[0];
  const first = Array.from({ length: events }, (_, event) => {
    const [eventType, id, statuses] = pick([firstKind, ...otherKinds]);
    const modifiedOn = `2026-11-21T08:00:${String(event % 60).padStart(2, '0')}.${String(event).padStart(9, '0')}Z`;
    const known = { [id]: uuid(random), status: pick(statuses), notificationType: 'UPDATED', modifiedOn };
    // The platform sends no such field today. Nothing of a webhook's content may leave Drawbridge.
    const resource = { ...known, lastName: markerWords[0] };
    const body =
      event % malformedEvery === malformedEvery - 1 ? `${JSON.stringify(resource)},` : JSON.stringify(resource);
    return { event, eventType, body };
  });
  const again = shuffled(first, random).slice(0, duplicates).map(rewritten);
  return shuffled([...first, ...again], random);
}

/** Writes equal content with the keys in another order and with white space. A malformed body stays the same. */
function rewritten({ body, ...notification }: Notification): Notification {
  if (!body.endsWith('}')) return { ...notification, body };
  const members = Object.entries(JSON.parse(body)).reverse();
  return { ...notification, body: JSON.stringify(Object.fromEntries(members), undefined, 1) };
}

function uuid(random: () => number): string {
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}
