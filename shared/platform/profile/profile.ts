import * as z from 'zod/mini';
import { additionalFields } from './additional-fields.ts';
import { declaredStatuses } from './declared-statuses.ts';
import { eventPlace } from './event-place.ts';
import { eventTypeName, eventTypes } from './event-type.ts';

const path = z.string().check(z.regex(/^\/\S*$/));
const milliseconds = z.int().check(z.positive());

const values = z.strictObject({
  /** The event types that this environment knows (section 2.1); a webhook of any other is quarantined. */
  eventTypes: z._default(z.array(eventTypeName).check(z.minLength(1)), [...eventTypes]),
  /**
   * What the events of a type speak of, and where in the payload it stands (section 6: not shown), for each type of which
   * it is not as `event-place.ts` has it. The usual places are left out: a profile travels as an environment variable.
   */
  places: z._default(z.catchall(z.object({}), eventPlace), {}),
  /** Statuses of entities that this environment has beside those of sections 3.1 to 3.4. */
  statuses: z._default(declaredStatuses, {}),
  /** Where tokens come from (section 5), below {auth_url}. One environment wants a scope. */
  token: z.prefault(
    z.strictObject({ path: z._default(path, '/oauth2/token'), scope: z.optional(z.string().check(z.minLength(1))) }),
    {},
  ),
  /** The paths of the webhook operations (section 4.3: not shown), below {base_url}. */
  webhookPaths: z.prefault(
    z.strictObject({
      webhooks: z._default(path, '/webhooks'),
      missing: z._default(path, '/webhooks-missing'),
      undelivered: z._default(path, '/webhooks-undelivered'),
      markDelivered: z._default(path, '/webhooks-undelivered/mark-delivered'),
    }),
    {},
  ),
  /** Below {base_url}: where transfers are read (section 4.3: not shown). */
  transfersPath: z._default(path, '/transfers'),
  /** The query parameter that filters natural persons by status (section 4.3: not shown). */
  naturalPersonStatusParameter: z._default(z.string().check(z.regex(/^\w+$/)), 'naturalPersonStatus'),
  /** Fields of persons and addresses beside those of section 2.4. An environment's lists replace the defaults. */
  additionalFields: z.prefault(additionalFields, {}),
  /**
   * Whether the platform refuses a second person of an externalId with 409 (section 2.4: "must be unique"). Then a create whose
   * answer is lost is sent again; otherwise the whole list of persons is searched before.
   */
  isExternalIdUnique: z._default(z.boolean(), true),
  /** Items asked for in a page: the default of section 8, since the maximum is not shown. */
  pageSize: z._default(z.int().check(z.positive()), 20),
  /**
   * How long after an undelivered webhook was listed an older one may still be found, or one of the same createdOn:
   * none is marked before.
   */
  undelivered: z.prefault(z.strictObject({ settle: z._default(milliseconds, 60_000) }), {}),
  /** How long one attempt, and one call with all its attempts, may take. */
  deadlines: z.prefault(
    z.strictObject({ attempt: z._default(milliseconds, 10_000), call: z._default(milliseconds, 30_000) }),
    {},
  ),
});

/**
 * What the specification leaves open, or what the platform changes over time: each value is a default that an
 * environment may override in cdk.json (`platformProfile`).
 */
export const platformProfile = values.check(
  z.refine(({ eventTypes: known, places }) => Object.keys(places).every((eventType) => known.includes(eventType)), {
    path: ['places'],
    error: 'must be of eventTypes: any other is quarantined',
  }),
);

export type PlatformProfile = z.infer<typeof platformProfile>;
