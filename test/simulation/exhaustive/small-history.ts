import { startAt } from '#test/simulation/history.ts';
import { canary, type Deed } from '#test/simulation/workload.ts';

/** How many events a small history can have. */
export const eventCounts = [1, 2, 3, 4] as const;

/** In milliseconds from the beginning: the deliveries before it, attempts included, have come to an end by then. */
const outage = { at: 10_000, duration: 15_000 };

/**
 * What happens in a small history: a person is created and changes its status while that is taken in; the change is told
 * twice; a transfer is told while nobody answers, so that the drain must fetch it.
 *
 * @param events the first so many of them
 */
export function planSmallHistory(events: number): readonly Deed[] {
  const told: readonly Deed[] = [
    tellPerson(0, 'CREATED'),
    tellPerson(20, 'ACTIVE'),
    { ...tellPerson(20, 'ACTIVE'), at: 40, what: 'a-person is ACTIVE, again' },
    tell(outage.at + 1, 'TRANSFER_NOTIFICATION', { transferId: 'a-transfer', status: 'PENDING' }),
  ];
  return [
    ...told.slice(0, events),
    { at: outage.at, act: 'disturb', what: 'endpoint down', disturbance: 'endpoint down', duration: outage.duration },
  ];
}

function tellPerson(at: number, status: string): Deed {
  return tell(at, 'NATURAL_PERSON_NOTIFICATION', { naturalPersonId: 'a-person', status });
}

function tell(
  at: number,
  eventType: string,
  resource: { readonly status: string; readonly [id: string]: string },
): Deed {
  const modifiedOn = new Date(startAt + at).toISOString();
  const [id] = Object.values(resource);
  const body = JSON.stringify({ ...resource, modifiedOn, firstName: canary });
  return { at, act: 'notify', what: `${id} is ${resource.status}`, eventType, body };
}
