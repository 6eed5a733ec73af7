import { type Evaluation, good, problem, type Result } from '#cli/doctor/platform/evaluation.ts';
import { countOf } from '#cli/output/count-of.ts';
import { placeEvent } from '#shared/entities/place-event.ts';
import { quarantineRemedy } from '#shared/events/quarantine-remedies.ts';
import { placeOf } from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { type Compared, compareStatuses, isThere } from './compare-answers.ts';
import type { RecordedWebhooks } from './recording.ts';
import { samplesOf, samplesWithout } from './samples.ts';

/** What becomes of the webhooks of one event type. */
export function compareWebhooks(
  eventType: string,
  { body, notJson, undelivered = 0, stored = 0 }: RecordedWebhooks,
  profile: PlatformProfile,
): Compared {
  // The check of event types names it.
  if (!profile.eventTypes.includes(eventType)) return { results: [], times: [] };
  if (notJson !== undefined) return { results: [[eventType, explained('NOT_JSON')]], times: [] };
  const place = placeOf(eventType, profile.places);
  const counted = countOf(undelivered + stored, 'body', 'bodies');
  if (typeof place === 'string' || body === undefined)
    return { results: [[eventType, good(`${counted}, which Drawbridge stores and publishes`)]], times: [] };
  const placed = [...samplesOf(body), ...samplesWithout(body)].map((sample) => placeEvent(eventType, sample, profile));
  const faults = placed.flatMap((one) =>
    typeof one === 'object' && 'quarantineReason' in one ? [one.quarantineReason] : [],
  );
  if (faults.length > 0)
    return { results: [...new Set(faults)].map((fault): Result => [eventType, explained(fault)]), times: [] };
  const resources = [...place.wrappers.map((wrapper) => body.fields?.[wrapper]), body];
  const find = (names: readonly string[]) =>
    names
      .flatMap((name) => resources.map((resource) => ({ name, shape: resource?.fields?.[name] })))
      .find(({ shape }) => isThere(shape));
  const [status, modifiedOn] = [find(place.status), find(place.modifiedOn)];
  const missing = [...(status ? [] : ['status']), ...(modifiedOn ? [] : ['modifiedOn'])];
  const detail = missing.length === 0 ? counted : `${counted} without ${missing.join(' and ')}`;
  const remedy = `If a field has it under another name, set platformProfile.places.${eventType}.`;
  return {
    results: [
      [eventType, missing.length === 0 ? good(detail) : problem(detail, remedy)],
      ...(status?.shape === undefined
        ? []
        : [compareStatuses(eventType, { kind: place.kind, status: status.name }, status.shape, profile)]),
    ],
    times:
      modifiedOn?.shape === undefined
        ? []
        : [{ of: eventType, field: modifiedOn.name, samples: samplesOf(modifiedOn.shape) }],
  };
}

function explained(reason: string): Evaluation {
  const { means, fix } = quarantineRemedy(reason);
  return problem(`${means} Such events are quarantined`, fix);
}
