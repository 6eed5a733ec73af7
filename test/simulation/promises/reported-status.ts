import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { newEventType } from '#test/simulation/system/platform-app.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { eventTypeOf, idFieldOf } from '#test/simulation/workload/plan-workload.ts';
import type { NotifiedEvent } from './promise.ts';

/** What the platform said of an entity. */
export type ReportedStatus = {
  readonly kind: EntityKind;
  readonly id: string;
  readonly status: string;
  /** Undefined of untimed news. */
  readonly modifiedOn: string | undefined;
};

/**
 * Reads what was told as whoever planned it wrote it, and by no code of the product: which must find the same in it. Undefined
 * where it is no JSON, or speaks of no entity.
 */
export function reportedStatusIn(
  { environment }: SimulatedSystem,
  { eventType, body }: NotifiedEvent,
): ReportedStatus | undefined {
  const fields = parseBody(body);
  const isReleased = environment.PLATFORM_PROFILE.eventTypes.includes(newEventType);
  const kind = entityKinds.find((one) => eventTypeOf[one] === eventType);
  const reportedKind = eventType === newEventType && isReleased ? 'order' : kind;
  const id = reportedKind && fields?.[idFieldOf[reportedKind]];
  if (reportedKind === undefined || fields === undefined || id === undefined) return undefined;
  return { kind: reportedKind, id, status: fields['status'] ?? '', modifiedOn: fields['modifiedOn'] };
}

/** The fields of a webhook of the simulation, all of which are texts; undefined of one that is broken. */
export function parseBody(body: string): Readonly<Record<string, string>> | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
