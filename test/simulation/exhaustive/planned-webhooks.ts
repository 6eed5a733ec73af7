import { startAt } from '#test/simulation/history.ts';
import { type Action, canary } from '#test/simulation/workload/plan-workload.ts';

type Notification = Extract<Action, { readonly type: 'notify' }>;

/** Plans a webhook about the person of a small history. */
export function planPersonWebhook(at: number, status: string): Notification {
  return planWebhook(at, 'NATURAL_PERSON_NOTIFICATION', { naturalPersonId: 'a-person', status });
}

/** Plans a webhook. @param at in milliseconds from the start: the time of the webhook and of the resource */
export function planWebhook(
  at: number,
  eventType: string,
  resource: { readonly status: string; readonly [id: string]: string },
): Notification {
  const modifiedOn = new Date(startAt + at).toISOString();
  const [id] = Object.values(resource);
  const body = JSON.stringify({ ...resource, modifiedOn, firstName: canary });
  return { at, type: 'notify', what: `${id} is ${resource.status}`, eventType, body };
}
