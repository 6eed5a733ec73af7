import { startAt } from '#test/simulation/history.ts';
import { canary, type Deed } from '#test/simulation/workload/plan-workload.ts';

type Notification = Extract<Deed, { readonly act: 'notify' }>;

/** A webhook about the one person of a small history. */
export function tellPerson(at: number, status: string): Notification {
  return tell(at, 'NATURAL_PERSON_NOTIFICATION', { naturalPersonId: 'a-person', status });
}

/** A webhook at a time. @param at in milliseconds from the beginning, and the time of the resource */
export function tell(
  at: number,
  eventType: string,
  resource: { readonly status: string; readonly [id: string]: string },
): Notification {
  const modifiedOn = new Date(startAt + at).toISOString();
  const [id] = Object.values(resource);
  const body = JSON.stringify({ ...resource, modifiedOn, firstName: canary });
  return { at, act: 'notify', what: `${id} is ${resource.status}`, eventType, body };
}
