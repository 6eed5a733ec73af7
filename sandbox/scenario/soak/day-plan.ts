import { createNotifications, type Notification } from '#sandbox/scenario/common/notifications.ts';
import { type Persona, personas } from '#sandbox/scenario/onboarding/personas.ts';

/** The number of rounds of a day. In a round the clock advances, and platform, persons and partner take their next steps. */
export const rounds = 48;

/** In rounds: until when onboardings and other work begin, when the endpoint is down, and when the other troubles of a day happen. */
export const timetable = {
  requestsEnd: 24,
  workEnds: 36,
  tokenRevoked: 4,
  tokenServiceFails: 10,
  outage: { from: 14, to: 22 },
  rotation: 28,
  retirement: 32,
  lateWebhooks: 40,
} as const;

/**
 * After its rounds a day goes on without new work until nothing is open: rarely an order or a delivery needs longer. What is then left is
 * stuck. These rounds are shorter, so that a day with some more of them costs about the same.
 */
export const settling = { maxRounds: 60, roundSeconds: 300 } as const;

/** The times that the token service then fails: the refresher repeats its request long before the token expires (promise 7). */
export const tokenServiceFailures = 3;

/** The share of made-up webhooks that repeat another one in another notation. */
const repeatedShare = 0.2;

/**
 * Types of webhooks whose entities the platform cannot be asked about. The others come from the platform's own orders, transfers,
 * persons and verifications: a made-up one would be asked for without end.
 */
const madeUpTypes: readonly string[] = [
  'CUSTOMER_NOTIFICATION',
  'DOCUMENT_NOTIFICATION',
  'PROXY_NOTIFICATION',
  'CORPORATE_ACTION_NOTIFICATION',
];

/** Creates the made-up webhooks of a day. */
export function createWebhooks(count: number, seed: number): readonly Notification[] {
  const duplicates = Math.floor(count * repeatedShare);
  const isSent = (eventType: string) => madeUpTypes.includes(eventType);
  return createNotifications({ seed, events: count - duplicates, duplicates, isSent });
}

const isErased = ({ actions = [] }: Persona) => actions.some(({ what }) => what === 'erase');

/**
 * The personas whose persons are at rest in the end: first those that are erased, so that few persons have some. Drawbridge keeps
 * asking for the others, and a day would have more requests than the day before.
 */
export const restingPersonas: Readonly<Record<string, Persona>> = Object.fromEntries(
  Object.entries(personas)
    .filter(([, persona]) => isErased(persona) || !['RECEIVED', 'CREATED'].includes(persona.status ?? ''))
    .toSorted(([, one], [, other]) => Number(isErased(other)) - Number(isErased(one))),
);

/** The part of the items that begins in a round, when all have begun after `end` rounds. */
export function partOf<Item>(items: readonly Item[], round: number, end: number): readonly Item[] {
  const begunBy = (count: number) => Math.floor((items.length * Math.min(count, end)) / end);
  return items.slice(begunBy(round), begunBy(round + 1));
}

export function isOutage(round: number): boolean {
  return round >= timetable.outage.from && round < timetable.outage.to;
}
