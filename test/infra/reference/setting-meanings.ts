import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

/*
 * What the settings mean whose schemas functions bundle: there, a text would cost each cold start. A setting without a
 * meaning does not compile.
 */

export const onboardingMeanings: Readonly<Record<keyof OnboardingSettings, string>> = {
  requestor:
    'On whose behalf persons are identified and updated (section 5): `self`, or the id of a person with an ACTIVE proxy for each of them.',
  externalVerifier: 'The vendor of identifications (section 2.5).',
  deadlines: 'In seconds: how long each step may take until it is published as stalled. The step then still waits.',
  stopAfterHours:
    'How long the platform may fail a step without a success. After that, and after the deadline of the step, the onboarding stops.',
  settle:
    'In seconds: how long a create whose answer was lost may still take effect. No second create is sent before that.',
  failureWords: 'A status of a verification that contains one of these words is a failure (section 3.2).',
  openDays: 'An onboarding that has not ended by then expires, and its request is deleted.',
  retentionDays: 'How long after that its record is kept. The record holds no personal data.',
};

export const profileMeanings: Readonly<Record<keyof PlatformProfile, string>> = {
  eventTypes: 'The event types of this platform (section 2.1). Events of other types are quarantined.',
  places: 'Where the payload of an event type names its subject, for types that differ from the defaults.',
  statuses: 'Statuses beside those of section 3: see [states.md](states.md#statuses-that-an-environment-declares).',
  token: 'The path of the token service (section 5), below `authUrl`, and its scope if it wants one.',
  webhookPaths: 'The paths of the webhook operations (section 4.3), below `baseUrl`.',
  transfersPath: 'The path of transfers (section 4.3), below `baseUrl`.',
  naturalPersonStatusParameter: 'The query parameter that filters natural persons by status (section 4.3).',
  additionalFields: 'Fields of persons and addresses beside those of section 2.4. A list replaces the default.',
  isExternalIdUnique:
    'Whether the platform refuses a second person of an externalId with 409 (section 2.4). If not, persons are searched before a create.',
  pageSize: 'Items of a page (section 8).',
  undelivered:
    'In milliseconds, `settle`: how long after an undelivered webhook was listed an older one may still appear. No webhook is marked before.',
  deadlines: 'In milliseconds: how long one attempt, and one call with all its attempts, may take.',
};
