import * as z from 'zod/mini';
import { eventTypeName, eventTypes } from './event-type.ts';

/**
 * What the specification leaves open, or what the platform changes over time: each value is a default that an
 * environment may override in cdk.json (`platformProfile`).
 */
export const platformProfile = z.strictObject({
  /** The event types that this environment knows (section 2.1); a webhook of any other is quarantined. */
  eventTypes: z._default(z.array(eventTypeName).check(z.minLength(1)), [...eventTypes]),
});

export type PlatformProfile = z.infer<typeof platformProfile>;
