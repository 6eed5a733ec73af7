import * as z from 'zod/mini';
import { usualLanes } from '#shared/aws/list/lanes.ts';

/** Which time indexes an environment keeps: to be spread into the schema of a function that writes or reads them. */
export const listVariables = {
  LIST_EVENTS: z.optional(z.literal('true')),
  LIST_ENTITIES: z.optional(z.literal('true')),
  LIST_LANES: z._default(z.coerce.number().check(z.int(), z.minimum(usualLanes)), usualLanes),
};

/** How long events are kept: to be spread into the schema of a function that stores events. */
export const retentionVariables = {
  EVENT_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
  UNREAD_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
};
