import * as z from 'zod';
import { maxLanes, usualLanes } from '#shared/aws/list/lanes.ts';
import { registersWhatIsKnown, unknownRegistration } from '#shared/entities/statuses/check-declared-statuses.ts';
import { entityKinds, eventTypeName } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import {
  account,
  type Backup,
  backup,
  network,
  permissionsBoundary,
  placeOf,
  region,
  secretReplicas,
  webhookDomain,
} from './account-settings.ts';
import {
  alarmSubscriber,
  checkedProfile,
  logRetentionDays,
  onboarding,
  platform,
  reconciliation,
  runbookUrl,
  sourceRange,
  throttle,
} from './setting-groups.ts';
import { platformAddress } from './settings-file/platform-address.ts';

/** The settings of an environment. All but `platform` have a default. docs/reference/settings.md lists them. */
const singleSettings = z.strictObject({
  platform: platform.describe('Where the platform is.'),
  account: z
    .optional(account)
    .describe('The AWS account of the environment. A deployment to another account is refused.'),
  region: z.optional(region).describe('The region of the environment. A deployment to another region is refused.'),
  eventRetentionDays: z
    .int()
    .min(14)
    .max(3653)
    .default(400)
    .describe('How long an event and its body are kept. Bodies hold personal data.'),
  eventsTableClass: z
    .enum(['standard', 'infrequent-access'])
    .default('standard')
    .describe(
      'The table class of the events. `infrequent-access` takes 40% of the price of storage, and a quarter more for each write: it is the cheaper one from some 70 days of eventRetentionDays on. Change it in a deployment of its own: DynamoDB changes a class together with nothing else of the table, and twice in 30 days at most.',
    ),
  unreadRetentionDays: z
    .int()
    .min(7)
    .max(3653)
    .default(30)
    .describe(
      'How long a quarantined event with an unreadable body is kept: an erasure may not find the person in it. Never longer than eventRetentionDays. An alarm comes a week before.',
    ),
  logRetentionDays: logRetentionDays.default(365).describe('How long logs are kept.'),
  alarmSubscribers: z
    .optional(z.array(alarmSubscriber).min(1).max(20))
    .describe(
      'Who gets the alarms: e-mail addresses, and HTTPS URLs of on-call services. AWS asks each one to confirm. Name a team, not a person: everyone who reads the stack sees the addresses.',
    ),
  runbookUrl: z
    .optional(runbookUrl)
    .describe(
      'Where your operators read docs/reference/alarms.md: an https URL, in which {version} stands for the deployed release. Each alarm links to its section there. Unless set, an alarm names the command that shows it.',
    ),
  backup: z
    .optional(backup)
    .describe('Daily backups of all tables by AWS Backup. Point-in-time recovery covers the last 35 days without it.'),
  keys: z
    .enum(['one', 'both', 'separate'])
    .default('one')
    .describe(
      'Whether secrets and alarms have KMS keys apart from that of the data. `one` is for an environment that was deployed without the setting: `both` is its step to `separate` (docs/how-to/upgrade.md). Without effect where the construct is given a key.',
    ),
  secretReplicas: z
    .optional(secretReplicas)
    .describe(
      'Regions in which Secrets Manager keeps a replica of each secret, so that the credentials of the platform outlive a region.',
    ),
  fipsEndpoints: z
    .boolean()
    .default(false)
    .describe(
      'Whether the functions call AWS by endpoints that are validated for FIPS 140. Needs `region`: a region of the USA, or of GovCloud.',
    ),
  secretHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be letters, digits and hyphens')
    .default('X-Drawbridge-Secret')
    .describe('The header that the platform sends with each delivery, and that authenticates it (section 2.1).'),
  webhookSources: z
    .optional(z.array(sourceRange).min(1, 'must name a range: leave it out to accept every address').max(50))
    .describe(
      'The ranges (CIDR) from which the platform delivers. Deliveries from other addresses get 403. Every address may deliver unless set. Useless behind a proxy.',
    ),
  webhookPathKey: z
    .optional(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be up to 64 letters, digits and hyphens'))
    .describe(
      'Ends the random part of the webhooks URL. Change it to move the URL away from a flood: register moves the webhooks.',
    ),
  receiveConcurrency: z
    .optional(z.int().min(1).max(10_000))
    .describe(
      'Executions of receive: its maximum, and reserved for it. Lambda keeps 100 of an account unreserved, and refuses a deployment that leaves fewer.',
    ),
  webhookThrottle: throttle
    .default({ rate: 2_000, burst: 4_000 })
    .describe('What the webhook route takes at most. Above it the platform gets 429, and delivers later.'),
  queryThrottle: throttle
    .default({ rate: 100, burst: 200 })
    .describe('What each route of the queries takes at most. Above it the caller gets 429.'),
  onboardingThrottle: throttle
    .default({ rate: 50, burst: 100 })
    .describe('What each route of the onboardings takes at most. Above it the caller gets 429.'),
  webhookDomain: z
    .optional(webhookDomain)
    .describe(
      'A domain of yours for the webhook route, which is then on an API of its own, without the address of API Gateway.',
    ),
  network: z
    .optional(network)
    .describe(
      'Subnets and security groups of yours for the functions that call the platform, so that their requests come from the address of your NAT gateway.',
    ),
  permissionsBoundary: z
    .optional(permissionsBoundary)
    .describe(
      'The name or the ARN of the managed policy that bounds every role of both stacks. `drawbridge policy boundary` prints one that fits.',
    ),
  webhooksUrl: z
    .optional(platformAddress)
    .describe(
      'Where the platform delivers, if neither at the URL of API Gateway nor at webhookDomain, without a slash at its end. The random part of the path and the event type follow.',
    ),
  formerWebhooksUrls: z
    .optional(z.array(platformAddress).min(1).max(10))
    .describe('Former values of webhooksUrl. Undelivered webhooks of these URLs are ours, and are drained.'),
  registeredEventTypes: z
    .optional(z.array(eventTypeName).min(1))
    .describe('The event types to register. All that the platform profile knows unless set.'),
  webhookSecretRotation: z
    .strictObject({
      everyDays: z.int().min(1).max(3650).describe('How old the secret becomes.'),
      overlapHours: z
        .int()
        .min(1)
        .max(720)
        .describe(
          'How long the previous secret is accepted once every webhook has the new one. Longer than the platform repeats a delivery.',
        ),
    })
    .default({ everyDays: 90, overlapHours: 72 })
    .describe('The rotation of the secret in the header.'),
  listEvents: z
    .boolean()
    .default(false)
    .describe(
      'Whether GET /events lists all events, from the deployment on, and not only those in quarantine. Costs two write units for each webhook.',
    ),
  listEntities: z
    .boolean()
    .default(false)
    .describe(
      'Whether GET /entities/{kind} lists entities by status. Costs up to two write units for each webhook that changes a status. Entities are listed from their next webhook on.',
    ),
  listLanes: z
    .int()
    .min(usualLanes)
    .max(maxLanes)
    .default(usualLanes)
    .describe(
      'Over how many partitions `listEvents` spreads the events of a type, and `listEntities` the entities of a status. More take a higher rate, and cost more for each page. A lower number saves nothing.',
    ),
  statusReports: z
    .array(z.enum(entityKinds))
    .default([])
    .describe(
      'The kinds of entities of which the bus carries every reported status, also one that is not shown, as …StatusReported. `drawbridge.subscribe` of the construct adds the kinds that it names: list those of subscribers in other apps. EventBridge bills each event.',
    ),
  storeConcurrency: z
    .int()
    .min(2)
    .max(1_000)
    .default(50)
    .describe('Batches that store works on concurrently, at most.'),
  storeBatchingSeconds: z
    .int()
    .min(0)
    .max(5)
    .default(0)
    .describe(
      'For how long Lambda gathers webhooks into a batch of store, at most. Each webhook takes effect later by as much, unless its batch of 10 is full before.',
    ),
  reconciliation: reconciliation.prefault({}).describe('How entities are compared with the platform.'),
  onboardingConcurrency: z
    .int()
    .min(2)
    .max(1_000)
    .default(10)
    .describe(
      'Batches of onboardings that advance concurrently, at most. Bounds the concurrent calls to the platform.',
    ),
  onboarding: z.optional(onboarding).describe('How this environment onboards persons.'),
  platformProfile: z
    .optional(checkedProfile)
    .describe("What this environment's platform does otherwise than the defaults say."),
  rollout: z
    .enum(['all-at-once', 'canary'])
    .default('all-at-once')
    .describe(
      'How new code of receive, store and advance gets its work. `canary` gives it 10% of the work for 15 minutes, and rolls the deployment back if it fails, stops onboardings, or publishes nothing (docs/how-to/deploy.md). AWS bills 16 alarm metrics for a canary. The laptop has none.',
    ),
  tracing: z
    .enum(['off', 'sampled'])
    .default('off')
    .describe(
      'Whether Lambda sends traces to X-Ray. `sampled` traces the first invocation of each function in a second and 5% of the others: X-Ray offers no other rate for Lambda. AWS bills each trace.',
    ),
  dashboard: z
    .boolean()
    .default(true)
    .describe(
      'Whether the environment has a CloudWatch dashboard, and the composite alarm AnyAlarm, which only the dashboard shows. AWS charges for the alarm, and for each dashboard of an account after the third.',
    ),
  keepStandIns: z
    .boolean()
    .default(false)
    .describe(
      'For an environment that release 0.2.0 has deployed: keeps its defaults of onboarding.requestor, onboarding.externalVerifier and platformProfile.exAnteEventType. The alarm StandInsUsed is on until these are set.',
    ),
});

/** How many days a person that is erased now stays in a backup, at most. */
function longestBackup(kept: Backup | undefined): number {
  return Math.max(kept?.retentionDays ?? 0, ...(kept?.copies ?? []).map(({ retentionDays }) => retentionDays));
}

function isIn(
  arn: string,
  own: { readonly account?: string | undefined; readonly region?: string | undefined },
): boolean {
  const place = placeOf(arn);
  return place !== undefined && place.account === own.account && place.region === own.region;
}

/** Where DynamoDB, SQS, Secrets Manager and EventBridge all have endpoints for FIPS, as the AWS SDK lists them. */
const fipsRegions = ['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'us-gov-east-1', 'us-gov-west-1'];

/** The settings, checked one against another. */
export const settings = singleSettings
  .refine(
    ({ registeredEventTypes = [], platformProfile: profile = platformProfile.parse({}) }) =>
      registersWhatIsKnown(registeredEventTypes, profile),
    { path: ['registeredEventTypes'], message: unknownRegistration },
  )
  .refine(({ logRetentionDays: days, backup: kept }) => days >= longestBackup(kept), {
    path: ['logRetentionDays'],
    message:
      'must be as long as backup.retentionDays and the copies at least: the log is the list of erasures to repeat after a restore',
  })
  .refine(({ secretReplicas: replicas = [], region: own }) => replicas.every((replica) => replica.region !== own), {
    path: ['secretReplicas'],
    message: 'must name other regions than the setting region',
  })
  .refine(({ backup: kept, ...own }) => !(kept?.copies ?? []).some(({ vaultArn }) => isIn(vaultArn, own)), {
    path: ['backup', 'copies'],
    message: 'must name vaults in another account or region than the settings account and region',
  })
  .refine(({ fipsEndpoints, region: name = '' }) => !fipsEndpoints || fipsRegions.includes(name), {
    path: ['fipsEndpoints'],
    message: `needs the setting region to be one that has these endpoints: ${fipsRegions.join(', ')}`,
  });

export type Settings = z.infer<typeof settings>;

/** The settings of an environment of Drawbridge. */
export type DrawbridgeSettings = DeepReadonly<z.input<typeof settings>>;

/** A caller may pass lists and objects that are constant. */
type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
    : Value;

/** The unit of each setting that is a number, or of all settings below a group. */
export const settingUnits: Readonly<Record<string, string>> = {
  eventRetentionDays: 'days',
  unreadRetentionDays: 'days',
  logRetentionDays: 'days',
  'backup.retentionDays': 'days',
  'backup.hour': "o'clock (UTC)",
  receiveConcurrency: 'executions',
  'webhookThrottle.rate': 'requests per second',
  'webhookThrottle.burst': 'requests',
  'queryThrottle.rate': 'requests per second',
  'queryThrottle.burst': 'requests',
  'onboardingThrottle.rate': 'requests per second',
  'onboardingThrottle.burst': 'requests',
  'webhookSecretRotation.everyDays': 'days',
  'webhookSecretRotation.overlapHours': 'hours',
  listLanes: 'lanes',
  storeConcurrency: 'batches',
  storeBatchingSeconds: 'seconds',
  'reconciliation.everyHours': 'hours',
  'reconciliation.listEveryHours': 'hours',
  'reconciliation.callsPerSecond': 'calls per second',
  'reconciliation.graceMinutes': 'minutes',
  'reconciliation.readBackAfterHours': 'hours',
  'reconciliation.staleAfterHours': 'hours',
  onboardingConcurrency: 'batches',
  'onboarding.deadlines': 'seconds',
  'onboarding.stopAfterHours': 'hours',
  'onboarding.settle': 'seconds',
  'onboarding.openDays': 'days',
  'onboarding.retentionDays': 'days',
  'platformProfile.sentFields': 'characters',
  'platformProfile.sentFields.zip': 'characters',
  'platformProfile.sentFields.phone': 'characters',
  'platformProfile.pageSize': 'items',
  'platformProfile.undelivered': 'milliseconds',
  'platformProfile.deadlines': 'milliseconds',
};

/** The unit of a setting, such as `days`. Undefined for a setting without one. */
export function unitOf(key: string): string | undefined {
  return settingUnits[key] ?? settingUnits[key.split('.').slice(0, -1).join('.')];
}
