import { checkKnown } from '#cli/command/known-word.ts';
import type { QuarantineReason } from '#shared/events/event.ts';

/** Why an event is in quarantine, and how the cause is fixed. */
export type ExplainedReason = { readonly means: string; readonly fix: string };

const place =
  'Set platformProfile.places in the settings file to the fields where the body has its id and status, and deploy.';
const unreadable = 'Ask the support of the platform what it sent. A replay changes nothing.';
const incomplete = 'Ask the support of the platform for the webhook. The record stays in quarantine.';

const reasons: Readonly<Record<QuarantineReason, ExplainedReason>> = {
  NOT_JSON: { means: 'The body of the webhook is not JSON.', fix: unreadable },
  NESTED_TOO_DEEP: { means: 'The JSON of the body is nested too deep.', fix: unreadable },
  NOT_AN_OBJECT: { means: 'The body of the webhook is JSON and no object.', fix: unreadable },
  UNKNOWN_EVENT_TYPE: {
    means: 'The platform profile does not have the event type.',
    fix: 'Add the event type to platformProfile.eventTypes in the settings file, and deploy.',
  },
  NO_ENTITY_ID: { means: 'The body has no id where the platform profile expects it.', fix: place },
  UNUSABLE_ENTITY_ID: { means: 'The id in the body is not a text that can be an id.', fix: place },
  UNUSABLE_STATUS: { means: 'The status in the body is not a text that can be a status.', fix: place },
  UNDELIVERED_NOT_AN_OBJECT: { means: 'The undelivered webhook is not a JSON object.', fix: incomplete },
  UNDELIVERED_WITHOUT_ID: { means: 'The undelivered webhook has no id.', fix: incomplete },
  UNDELIVERED_WITHOUT_EVENT_TYPE: { means: 'The undelivered webhook has no event type.', fix: incomplete },
  UNDELIVERED_WITHOUT_BODY: { means: 'The undelivered webhook has no body.', fix: incomplete },
  UNDELIVERED_WITHOUT_CREATED_ON: {
    means: 'The undelivered webhook does not say when it was created. Since 0.3.0 such a webhook takes effect.',
    fix: incomplete,
  },
  UNDELIVERED_TOO_LARGE: {
    means: 'The undelivered webhook is too large to be applied.',
    fix: 'Read the entity from the platform: drawbridge reconcile report.',
  },
};

/** @throws {CommandError} for a word that is the reason of no event in quarantine */
export function checkReason(reason: string | undefined): void {
  const known = { what: 'reason of an event in quarantine', words: Object.keys(reasons) };
  checkKnown(reason, known, 'drawbridge quarantine count shows the reasons that occur.');
}

/** Undefined for a reason of a later release. */
export function explainReason(reason: string): ExplainedReason | undefined {
  return new Map<string, ExplainedReason>(Object.entries(reasons)).get(reason);
}
