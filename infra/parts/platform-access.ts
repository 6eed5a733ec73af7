import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { DataStack } from '#infra/data-stack.ts';
import type { Settings } from '#infra/settings.ts';
import { usualLanes } from '#shared/aws/list/lanes.ts';
import type { PlatformEnvironment } from '#shared/connection/platform-connection.ts';
import { type Conditions, useKey, via } from './use-key.ts';

export type PlatformAccessProps = {
  readonly settings: Pick<Settings, 'platform' | 'platformProfile'>;
  readonly data: DataStack;
  /** Where the token refresher takes reports of rejected tokens. */
  readonly tokenRefreshes: Queue;
};

/** A function that is to call the platform. */
export type PlatformCaller = {
  readonly addVariables: (variables: Readonly<Record<string, string>>) => void;
  /** Allows the function exactly these actions on exactly this resource, if the conditions hold. */
  readonly allow: (actions: readonly string[], resourceArn: string, conditions?: Conditions) => void;
};

/** What a function needs to call the platform. Only the token refresher reads the credentials. */
export class PlatformAccess {
  readonly #props: PlatformAccessProps;

  constructor(props: PlatformAccessProps) {
    this.#props = props;
  }

  /** Tells a function where the platform is, and lets it read the token and report a token that the platform rejected. */
  grant(caller: PlatformCaller): void {
    const { settings, data, tokenRefreshes } = this.#props;
    const variables = {
      PLATFORM_BASE_URL: settings.platform.baseUrl,
      PLATFORM_TOKEN_SECRET_ID: data.platformToken.secretArn,
      TOKEN_REFRESHES_QUEUE_URL: tokenRefreshes.queueUrl,
      ...profileVariable(settings),
    } satisfies Partial<Record<keyof PlatformEnvironment, string>>;
    caller.addVariables(variables);
    caller.allow(['secretsmanager:GetSecretValue'], data.platformToken.secretArn);
    caller.allow(['sqs:SendMessage'], tokenRefreshes.queueArn);
    caller.allow(useKey, data.key.keyArn, via('sqs'));
    for (const { keyArn } of data.secretsKeys) caller.allow(['kms:Decrypt'], keyArn, via('secretsmanager'));
  }
}

/** The statuses that the profile declares, as a variable of a function that needs only these of the profile. */
export function statusesVariable({ platformProfile }: Pick<Settings, 'platformProfile'>): Record<string, string> {
  const { statuses = {} } = platformProfile ?? {};
  return Object.keys(statuses).length === 0 ? {} : { DECLARED_STATUSES: JSON.stringify(statuses) };
}

/** How long events are kept, as variables of a function that stores events. */
export function retentionVariables({
  eventRetentionDays,
  unreadRetentionDays,
}: Pick<Settings, 'eventRetentionDays' | 'unreadRetentionDays'>): Readonly<Record<string, string>> {
  return {
    EVENT_RETENTION_DAYS: String(eventRetentionDays),
    UNREAD_RETENTION_DAYS: String(Math.min(unreadRetentionDays, eventRetentionDays)),
  };
}

/** Which time indexes the environment keeps, as variables of a function that writes or reads them. */
export function listVariables({
  listEvents,
  listEntities,
  listLanes,
}: Pick<Settings, 'listEvents' | 'listEntities' | 'listLanes'>): Record<string, string> {
  return {
    ...(listEvents && { LIST_EVENTS: 'true' }),
    ...(listEntities && { LIST_ENTITIES: 'true' }),
    ...(listLanes !== usualLanes && { LIST_LANES: String(listLanes) }),
  };
}

/** The event types that the profile declares, as a variable of a function that needs only these of the profile. */
export function eventTypesVariable({ platformProfile }: Pick<Settings, 'platformProfile'>): Record<string, string> {
  return platformProfile === undefined ? {} : { EVENT_TYPES: JSON.stringify(platformProfile.eventTypes) };
}

/** The places that the profile declares, as a variable of a function that needs only these of the profile. */
export function placesVariable({ platformProfile }: Pick<Settings, 'platformProfile'>): Record<string, string> {
  const { places = {} } = platformProfile ?? {};
  return Object.keys(places).length === 0 ? {} : { PLACES: JSON.stringify(places) };
}

/** The platform profile as a variable of a function; no variable if the environment keeps the defaults. */
export function profileVariable({ platformProfile }: Pick<Settings, 'platformProfile'>): Record<string, string> {
  return platformProfile === undefined ? {} : { PLATFORM_PROFILE: JSON.stringify(platformProfile) };
}
