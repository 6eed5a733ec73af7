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

const quarantined = z.object({ eventId: z.string() });

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
    text: 'Drain fetches what the platform has kept. On a schedule it runs every five minutes, and here immediately. Nothing is lost.',
    act: async ({ guide, orderId }) => {
      await guide.show('outage', 'stop');
      await guide.show('drain');
      await guide.showUntil('SETTLED', 'orders', 'show', orderId);
    },
  },
  {
    title: 'Find and replay a quarantined event',
    text: 'A webhook without an id cannot be applied. Drawbridge stores the event, and quarantines it until you replay it: after a fix, for example of a setting.',
    act: async ({ guide }) => {
      await guide.show('trigger', 'TRANSFER_NOTIFICATION', '--set', 'transferId=null');
      await guide.showUntil(reason, 'quarantine', 'ls', '--reason', reason, '--limit', '1');
      const [event] = await guide.list('quarantine', 'ls', '--reason', reason, '--limit', '1');
      await guide.show('events', 'replay', quarantined.parse(event).eventId);
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
