import { usualLanes } from '#shared/aws/list/lanes.ts';
import type { PlatformEnvironment } from '#shared/connection/platform-connection.ts';
import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';

/** The settings that the stacks pass to the functions as environment variables. */
export type SimulatedEnvironment = PlatformEnvironment & {
  readonly authUrl: string;
  readonly webhooksUrl: string;
  /** The header name as registered on the platform. */
  readonly secretHeader: string;
  readonly retentionDays: number;
  /** Times in milliseconds. */
  readonly rotation: { readonly interval: number; readonly overlap: number };
  /** Times in milliseconds. */
  readonly reconciliation: {
    readonly callsPerSecond: number;
    readonly grace: number;
    readonly readBackAfter: number;
    readonly staleAfter: number;
    readonly listEvery: number;
    readonly requestor: 'self' | (string & {});
  };
  readonly onboarding: OnboardingSettings;
  /** The kinds of which every reported status is published. */
  readonly reportedKinds: readonly EntityKind[];
};

const minute = 60_000;
const hour = 60 * minute;

/** The parsed environment variables of all functions. */
export function variablesOf({ rotation, reconciliation, ...environment }: SimulatedEnvironment) {
  return {
    ENVIRONMENT: 'simulation',
    PLATFORM_BASE_URL: environment.PLATFORM_BASE_URL,
    PLATFORM_PROFILE: environment.PLATFORM_PROFILE,
    PLATFORM_TOKEN_SECRET_ID: environment.PLATFORM_TOKEN_SECRET_ID,
    TOKEN_REFRESHES_QUEUE_URL: environment.TOKEN_REFRESHES_QUEUE_URL,
    PLATFORM_AUTH_URL: environment.authUrl,
    PLATFORM_CREDENTIALS_SECRET_ID: 'platform-credentials',
    SECRET_ID: 'webhook-secret',
    SECRET_HEADER: environment.secretHeader,
    WEBHOOKS_URL: environment.webhooksUrl,
    REGISTERED_EVENT_TYPES: undefined,
    SECRET_ROTATION_DAYS: rotation.interval / (24 * hour),
    SECRET_OVERLAP_HOURS: rotation.overlap / hour,
    QUEUE_URL: 'webhooks',
    ONBOARDING_QUEUE_URL: 'onboarding',
    STAND_INS: 0,
    EVENT_BUS: 'drawbridge',
    STATUS_REPORTS: [...environment.reportedKinds],
    EVENTS_TABLE: 'events',
    EVENT_RETENTION_DAYS: environment.retentionDays,
    UNREAD_RETENTION_DAYS: environment.retentionDays,
    ENTITIES_TABLE: 'entities',
    ONBOARDINGS_TABLE: 'onboardings',
    CHECKPOINTS_TABLE: 'checkpoints',
    LIST_LANES: usualLanes,
    PERSONS_TABLE: 'persons',
    ONBOARDING_SETTINGS: environment.onboarding,
    CALLS_PER_SECOND: reconciliation.callsPerSecond,
    GRACE_MINUTES: reconciliation.grace / minute,
    LIST_EVERY_HOURS: reconciliation.listEvery / hour,
    READ_BACK_AFTER_HOURS: reconciliation.readBackAfter / hour,
    STALE_AFTER_HOURS: reconciliation.staleAfter / hour,
    REQUESTOR: reconciliation.requestor,
  };
}
