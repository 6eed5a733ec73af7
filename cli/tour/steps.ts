import * as z from 'zod';
import type { Guide } from './guide.ts';

/** What the tour has made so far. */
export type Tour = {
  readonly guide: Guide;
  /** The id of the onboarding in the system of the partner. */
  externalId: string;
  naturalPersonId: string;
  /** The order whose webhooks the outage stops. */
  orderId: string;
};

export type TourStep = {
  readonly title: string;
  readonly text: string;
  readonly act: (tour: Tour) => Promise<void>;
};

/** Why a webhook without an id is in quarantine. */
const reason = 'NO_ENTITY_ID';

/** The id of the transfer, and where the changed profile finds the id. */
const reference = 'tour-transfer';
const place = { kind: 'transfer', id: ['transferId', 'reference'] };

const quarantined = z.object({ eventId: z.string() });

const profile = z.object({ places: z.record(z.string(), z.unknown()) });

/** The id in the first line of what a command printed. */
function firstWord(output: string): string {
  return output.trim().split(/\s+/)[0] ?? '';
}

/** The value of a field that a command printed on a line of its own. */
function fieldIn(output: string, name: string): string {
  const line = output.split('\n').find((each) => each.startsWith(`${name}  `)) ?? '';
  return line.slice(name.length).trim();
}

export const tourSteps: readonly TourStep[] = [
  {
    title: 'Onboard a person',
    text: 'Drawbridge creates the person on the platform, gets a video call for the person, and waits for ACTIVE.',
    act: async (tour) => {
      tour.externalId = firstWord(await tour.guide.show('persona', 'onboard', 'ordinary'));
      const shown = await tour.guide.show('onboardings', 'show', tour.externalId, '--watch');
      tour.naturalPersonId = fieldIn(shown, 'natural person');
    },
  },
  {
    title: 'Fill an order, and watch the bus',
    text: 'The exchange fills an order of the person. Each webhook becomes an event on the bus, with the status of the order.',
    act: async ({ guide, naturalPersonId }) => {
      const watching = await guide.startWatching('tail', '--type', 'OrderStatusChanged', '--limit', '2');
      const ofPerson = ['--set', `naturalPersonId=${naturalPersonId}`];
      const orderId = fieldIn(await guide.show('trigger', 'order.filled', ...ofPerson), 'orderId');
      await watching.end();
      await guide.showUntil('FILLED', 'orders', 'show', orderId, '--timeline');
    },
  },
  {
    title: 'Cause an outage',
    text: 'The endpoint breaks each connection. The platform tries each webhook three times, then keeps it as undelivered. A minute passes in a moment, because the clock of the laptop can be advanced.',
    act: async (tour) => {
      const { guide, naturalPersonId } = tour;
      await guide.show('outage', 'start');
      const ofPerson = ['--set', `naturalPersonId=${naturalPersonId}`];
      tour.orderId = fieldIn(await guide.show('trigger', 'order.settled', ...ofPerson), 'orderId');
      await guide.show('clock', 'advance', '60s');
      await guide.show('deliveries', 'ls', '--outcome', 'undelivered', '--contains', tour.orderId);
    },
  },
  {
    title: 'Watch the recovery',
    text: 'Drain fetches what the platform has kept. On a schedule it runs every minute, and here immediately. Nothing is lost.',
    act: async ({ guide, orderId }) => {
      await guide.show('outage', 'stop');
      await guide.show('drain');
      await guide.showUntil('SETTLED', 'orders', 'show', orderId);
    },
  },
  {
    title: 'Find, fix and replay a quarantined event',
    text: 'The platform names the id of a transfer differently from the platform profile. Drawbridge stores the event, and quarantines it. Fix the cause first: otherwise a replayed event returns to quarantine. On AWS, change the setting platformProfile and deploy. Here, a command changes the profile.',
    act: async ({ guide }) => {
      const withoutId = ['--set', 'transferId=null', '--set', `reference=${reference}`];
      await guide.show('trigger', 'TRANSFER_NOTIFICATION', ...withoutId);
      await guide.showUntil(reason, 'quarantine', 'ls', '--reason', reason, '--limit', '1');
      const [event] = await guide.list('quarantine', 'ls', '--reason', reason, '--limit', '1');
      const { places } = profile.parse(await guide.ask('profile', 'show'));
      const setPlaces = (all: object) => ['profile', 'set', `places=${JSON.stringify(all)}`];
      await guide.show(...setPlaces({ ...places, TRANSFER_NOTIFICATION: place }));
      try {
        await guide.show('events', 'replay', quarantined.parse(event).eventId);
        await guide.showUntil('PROCESSED', 'transfers', 'show', reference);
      } finally {
        // The next tour has the same cause to fix.
        await guide.ask(...setPlaces(places));
      }
    },
  },
  {
    title: 'Erase the person',
    text: 'Drawbridge removes the events, entities and the onboarding of the person. The platform has its own rules for erasure.',
    act: async ({ guide, externalId }) => {
      await guide.show('persons', 'erase', externalId);
    },
  },
];
