import type { ApiClient } from '#cli/deployment/api-client.ts';
import { readEvents, revealEvent } from '#cli/deployment/api-reads.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { ReceivedBody } from './record-platform.ts';

/** Of one event type: the latest. */
const maxBodies = 3;
/** Among so many of the latest events, types are looked for that the profile does not have. */
const maxOthers = 200;

/** The bodies of the latest events of each type. The log of Query records each read. @throws {CommandError} */
export async function readStoredBodies(
  api: ApiClient,
  { eventTypes }: Pick<PlatformProfile, 'eventTypes'>,
): Promise<readonly ReceivedBody[]> {
  const latest = await readEvents(api, {}, maxOthers);
  const others = Map.groupBy(
    latest.items.filter(({ eventType }) => !eventTypes.includes(eventType)),
    ({ eventType }) => eventType,
  );
  const events = [...others.values()].flatMap((ofType) => ofType.slice(0, maxBodies));
  for (const eventType of eventTypes) events.push(...(await readEvents(api, { eventType }, maxBodies)).items);
  const bodies: ReceivedBody[] = [];
  for (const { eventId, eventType } of events) {
    const { body } = await revealEvent(api, eventId);
    if (body !== undefined) bodies.push({ eventType, body, from: 'stored' });
  }
  return bodies;
}
