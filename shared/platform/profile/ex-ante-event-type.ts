import * as z from 'zod/mini';
import { eventTypeName } from './event-type.ts';

/** The event type of section 2.1 whose first word stands for the name of a vendor. */
export const exAnteStandIn = 'VENDOR_EX_ANTE_DOCUMENT_READY_NOTIFICATION';

/** The name that it has on a platform, or `none`. */
export const exAnteEventType = z
  .string()
  .check(z.refine((text) => text === 'none' || eventTypeName.safeParse(text).success, 'must be none or an event type'));

type Named = {
  readonly exAnteEventType?: string | undefined;
  readonly eventTypes: readonly string[];
  readonly places: Readonly<Record<string, unknown>>;
};

/** Puts the name that the event type has on this platform in place of the stand-in. Its events are what those of the stand-in are. */
export function nameExAnteEventType<Profile extends Named>(profile: Profile): Profile {
  const { exAnteEventType: name, eventTypes, places } = profile;
  if (name === undefined || name === exAnteStandIn || !eventTypes.includes(exAnteStandIn)) return profile;
  const others = eventTypes.filter((eventType) => eventType !== exAnteStandIn);
  if (name === 'none') return { ...profile, eventTypes: others };
  const place = { kind: 'stored and published', onErasure: 'kept' } as const;
  return {
    ...profile,
    eventTypes: [...new Set([...others, name])],
    places: { [name]: place, ...places },
  };
}
