import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { newEventType } from '#test/simulation/system/platform-app.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { eventTypeOf, idFieldOf } from '#test/simulation/workload/plan-workload.ts';
import type { NotifiedEvent } from './promise.ts';

/** A status of an entity that the platform reported. */
export type ReportedStatus = {
  readonly kind: EntityKind;
  readonly id: string;
  readonly status: string;
  /** Undefined for an untimed report. */
  readonly modifiedOn: string | undefined;
};

/**
 * Reads a webhook in the format of the workload, without product code, which must find the same status. Returns undefined for
 * invalid JSON and for events without an entity.
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

/** The fields of a webhook of the simulation, all of which are texts; undefined for invalid JSON. */
export function parseBody(body: string): Readonly<Record<string, string>> | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
