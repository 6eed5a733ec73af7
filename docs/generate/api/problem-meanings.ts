import type { ListedProblemType } from '#shared/lambda/http-api.ts';

/** When the API answers each problem. */
export const problemMeanings: Readonly<Record<ListedProblemType['slug'], string>> = {
  unavailable:
    'Drawbridge could not complete the request: AWS or the platform did not answer in time, or other requests changed the same onboarding meanwhile. The log of the function has a line `request failed`.',
  'secret-refused': 'The header of a webhook has no secret, or another secret than the registered one.',
  'source-not-allowed': 'The setting `webhookSources` does not include the address that the webhook came from.',
  'webhook-too-large':
    'The body has more than 384 KiB after it is deflated, or the event type is too long. The webhook is not stored, and the platform keeps it as undelivered.',
  'unknown-kind': 'The path names a kind of entity that does not exist.',
  'invalid-id': 'No entity and no event can have the id in the path.',
  'entity-not-found': 'No webhook has reported an entity of this kind and id, or the entity was erased.',
  'event-not-found': 'The event was never received, or its retention is over.',
  'list-not-kept': 'The environment does not keep the list that the query parameters ask for.',
  'invalid-request':
    'The body breaks a rule of its schema, or is not JSON. For an update, the platform can also be the one that refuses a field. Where the platform names none, `errors` has the whole body.',
  'invalid-query': 'A query parameter has a value that cannot be used.',
  'onboarding-not-found': 'No onboarding has this `externalId`. For an update, the person may also be erased.',
  'onboarding-conflict':
    'The same `externalId` was requested before with other data. `errors` points to each field that differs, or to the whole body once the platform has the person. `step` is the current step.',
  'onboarding-ended': 'The onboarding has ended in a way that a request does not restart. `step` says how.',
  'operation-impossible':
    'The onboarding is at a step at which it cannot be canceled or retried. The answer has all members of `GET /onboardings/{externalId}`.',
  'person-erased': 'The person of this `externalId` was erased.',
  'erasure-under-way':
    'An erasure of the person has begun and is not complete. The onboarding can no longer be requested or retried.',
  'person-not-on-platform': 'The onboarding has not created the person yet, so that there is nothing to update.',
  'requestor-refused':
    'The platform refuses the [requestor](platform.md#requestor-id) of the update, or the rights of the credentials. `reason` is `REQUESTOR_NOT_ACTIVE`, `REQUESTOR_ID_INVALID` or `CALLER_REFUSED`.',
  'platform-refused': 'The platform refuses the update for another reason, which `reason` names.',
  'person-unknown': 'No onboarding has this `externalId`, and the request names no person otherwise.',
  'onboarding-open':
    'The onboarding of the person is open, or was restarted during the erasure. An open onboarding would bring back what is erased.',
  'ids-of-others':
    'An onboarding or a stored event gives an id of the request to another externalId, or to another person. Nothing was erased.',
  'person-not-named':
    'The onboarding ended before Drawbridge knew the person. The platform may have the person, of whom webhooks can still arrive.',
};
