import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { readEvent, revealEvent } from '#cli/deployment/api-reads.ts';
import { readDeliveries } from '#cli/events/read-deliveries.ts';
import { eventListAnswer } from '#shared/api/query-answers.ts';
import { effects } from '#shared/entities/merge/entity-view.ts';
import { entityKinds, eventTypes } from '#shared/platform/profile/event-place.ts';
import { defineRead } from './define-read.ts';
import { readAbouts, readLatestAbouts } from './event-abouts.ts';
import { listReports } from './list-reports.ts';

const listQuery = z.object({
  eventType: z.string().optional(),
  quarantineReason: z.string().optional(),
  receivedFrom: z.string().optional(),
  receivedTo: z.string().optional(),
  cursor: z.string().optional(),
});

/** With the milliseconds of the API, so that times are in order as text. */
const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-01-31T08:00:00Z' })
  .transform((text) => new Date(text).toISOString());

const reportQuery = z.object({
  kind: z.enum(entityKinds).optional(),
  id: z.string().optional(),
  effect: z.enum(effects).optional(),
  receivedFrom: time.optional(),
  receivedTo: time.optional(),
});

const pageSize = '50';

const eventQuery = z.object({ eventId: z.string() });

const deliveriesQuery = z.object({ eventId: z.string().regex(/^[\da-f]{64}$/), receivedOn: time });

/** As many as a page lists. */
const eventsQuery = z.object({
  eventIds: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.string()).max(Number(pageSize))),
});

/** The stored webhooks. */
export function createEventReads({ deployment, isOperator, deps }: ConsoleContext) {
  const { api, isLaptop } = deployment;
  return {
    events: defineRead(listQuery, (query) =>
      api.send({ method: 'GET', path: '/events', query: { ...query, limit: pageSize } }, eventListAnswer),
    ),
    /** The types that the platform names. A deployment can declare others. */
    eventTypes: defineRead(z.object({}), async () => eventTypes),
    /** Events by entity and by effect. */
    reports: defineRead(reportQuery, (query) => listReports(api, query)),
    /** Without the body, which holds personal data. */
    event: defineRead(eventQuery, ({ eventId }) => readEvent(api, eventId)),
    /** When the event was delivered, and what the platform was answered. Searches the logs, which costs on AWS. */
    eventDeliveries: defineRead(deliveriesQuery, (event) => readDeliveries(deployment, event, deps)),
    /** The body: the log of Query records who read it. */
    eventBody: defineRead(eventQuery, async ({ eventId }) => {
      const { body, bodyBase64 } = await revealEvent(api, eventId);
      return { body, bodyBase64 };
    }),
    /** What the events of a page are about, and what they did. */
    abouts: defineRead(eventsQuery, ({ eventIds }) =>
      isOperator || isLaptop ? readAbouts(api, eventIds) : readLatestAbouts(api, eventIds),
    ),
  };
}
