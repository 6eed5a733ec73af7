import type { Remedy } from '#shared/remedy.ts';
import type { QuarantineReason } from './event.ts';

/** @property command in place of `quarantine replay`, if a replay changes nothing */
type Row = Pick<Remedy, 'means' | 'fix'> & { readonly command?: string };

const place = {
  fix: 'Set platformProfile.places in the settings file to the fields where the body has its id and status, and deploy. Then replay.',
};
const unreadable = {
  fix: 'Ask the support of the platform what it sent. A replay changes nothing.',
  command: 'quarantine ls',
};
const incomplete = {
  fix: 'Ask the support of the platform for the webhook. The record stays in quarantine.',
  command: 'quarantine ls',
};

const rows: Readonly<Record<QuarantineReason, Row>> = {
  NOT_JSON: { means: 'The body of the webhook is not JSON.', ...unreadable },
  NESTED_TOO_DEEP: { means: 'The JSON of the body is nested too deep.', ...unreadable },
  NOT_AN_OBJECT: { means: 'The body of the webhook is JSON, but not an object.', ...unreadable },
  UNKNOWN_EVENT_TYPE: {
    means: 'The platform profile does not have the event type.',
    fix: 'Add the event type to platformProfile.eventTypes in the settings file, and deploy. Then replay.',
  },
  NO_ENTITY_ID: { means: 'The body has no id where the platform profile expects it.', ...place },
  UNUSABLE_ENTITY_ID: { means: 'The id in the body is not a text that can be an id.', ...place },
  UNUSABLE_STATUS: { means: 'The status in the body is not a text that can be a status.', ...place },
  UNDELIVERED_NOT_AN_OBJECT: { means: 'The undelivered webhook is not a JSON object.', ...incomplete },
  UNDELIVERED_WITHOUT_ID: { means: 'The undelivered webhook has no id.', ...incomplete },
  UNDELIVERED_WITHOUT_EVENT_TYPE: { means: 'The undelivered webhook has no event type.', ...incomplete },
  UNDELIVERED_WITHOUT_BODY: { means: 'The undelivered webhook has no body.', ...incomplete },
  UNDELIVERED_WITHOUT_CREATED_ON: {
    ...incomplete,
    means: 'The undelivered webhook does not say when it was created. Since 0.3.0 such a webhook takes effect.',
  },
  UNDELIVERED_TOO_LARGE: {
    means: 'The undelivered webhook is too large to be applied.',
    fix: 'Read the entity from the platform.',
    command: 'reconcile report',
  },
};

/** Every reason of an event in quarantine. */
export const quarantineReasons: readonly string[] = Object.keys(rows);

const byReason: ReadonlyMap<string, Row> = new Map(Object.entries(rows));

/** Why an event is in quarantine, and how the cause is fixed. */
export function quarantineRemedy(reason: string): Remedy {
  const row = byReason.get(reason);
  if (row === undefined)
    return { means: `${reason} is a reason of a later release.`, fix: 'Install that release.', commands: [] };
  const { means, fix, command = 'quarantine replay' } = row;
  const isAboutReason = command.startsWith('quarantine ');
  return { means, fix, commands: [`drawbridge ${command}${isAboutReason ? ` --reason ${reason}` : ''}`] };
}

/** Whether a replay changes something for an event with this reason, once the cause is fixed. */
export function canReplay(reason: string): boolean {
  const row = byReason.get(reason);
  return row !== undefined && row.command === undefined;
}
