import type { Node } from 'constructs';
import * as z from 'zod';
import { findDeclarationFaults } from '#shared/entities/statuses/check-declared-statuses.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { platformUrl } from '#shared/platform/fields/platform-url.ts';
import { eventTypeName } from '#shared/platform/profile/event-type.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

/** Retention periods that CloudWatch Logs offers, in days. */
const logRetentionDays = z.literal([7, 14, 30, 60, 90, 180, 365, 400, 731, 1827, 3653]);

/** Where the platform is: {base_url} and {auth_url} of section 5. */
const platform = z.strictObject({
  baseUrl: z
    .pipe(z.string(), platformUrl)
    .describe("The platform's base URL (section 5.5), without a slash at its end."),
  authUrl: z.pipe(z.string(), platformUrl).describe('The URL of its token service, without a slash at its end.'),
});

const reconciliation = z
  .strictObject({
    everyHours: z
      .int()
      .min(1)
      .max(12)
      .default(1)
      .describe(
        'How often a run begins, or continues what it could not end in 15 minutes. Each walk reads all entities.',
      ),
    callsPerSecond: z
      .number()
      .min(0.1)
      .max(100)
      .default(5)
      .describe(
        'Calls to the platform, which documents no rate limit. At 5, a run of 15 minutes reads 85,000 persons.',
      ),
    graceMinutes: z
      .int()
      .min(1)
      .max(1_440)
      .default(15)
      .describe('A change on the platform that is younger than this is no drift: its webhook may be on its way.'),
    readBackAfterHours: z
      .int()
      .min(1)
      .max(8_760)
      .default(6)
      .describe(
        'A verification, or a person in a status that should pass, is read back after so long without a report.',
      ),
    staleAfterHours: z
      .int()
      .min(1)
      .max(8_760)
      .default(168)
      .describe('After so long without a report an entity is counted as stale, and not read back any more.'),
  })
  .refine(({ readBackAfterHours, staleAfterHours }) => readBackAfterHours < staleAfterHours, {
    path: ['readBackAfterHours'],
    message: 'must be less than staleAfterHours: nothing would be read back',
  });

/** What a route takes at most. */
const throttle = z.strictObject({
  rate: z.int().min(1).max(10_000).describe('Requests a second.'),
  burst: z.int().min(1).max(5_000).describe('Requests in a burst.'),
});

/** Of the profile as an environment variable. Lambda takes 4 KB of variables in all. */
const maxProfileBytes = 3_000;

/** The platform profile, its statuses checked against those of the specification. */
const checkedProfile = z.pipe(z.unknown(), platformProfile).superRefine((profile, context) => {
  for (const { path, message } of findDeclarationFaults(profile.statuses))
    context.addIssue({ code: 'custom', path: ['statuses', ...path], message });
  const bytes = Buffer.byteLength(JSON.stringify(profile));
  if (bytes > maxProfileBytes)
    context.addIssue({
      code: 'custom',
      message: `takes ${bytes} bytes, of ${maxProfileBytes}: shorten what is declared`,
    });
});

const sourceRange = z
  .string()
  .refine((text) => z.cidrv4().safeParse(text).success || z.cidrv6().safeParse(text).success, {
    message: 'must be a range such as 203.0.113.0/24 or 2001:db8::/32; write a single address with /32 or /128',
  });

/** The settings of an environment of cdk.json. All but `platform` have a default. docs/reference/settings.md lists them. */
const singleSettings = z.strictObject({
  platform: platform.describe('Where the platform is.'),
  eventRetentionDays: z
    .int()
    .min(14)
    .max(3653)
    .default(400)
    .describe('How long an event and its body are kept. Bodies hold personal data.'),
  logRetentionDays: logRetentionDays.default(365).describe('How long logs are kept, in days.'),
  secretHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be letters, digits and hyphens')
    .default('X-Drawbridge-Secret')
    .describe('The header that the platform sends with each delivery, and that authenticates it (section 2.1).'),
  webhookSources: z
    .optional(z.array(sourceRange).min(1, 'must name a range: leave it out to accept every address').max(50))
    .describe(
      'The ranges (CIDR) from which the platform delivers. Deliveries from other addresses get 403 before anything of them is read. Every address may deliver unless set. Useless behind a proxy, whose address receive would see.',
    ),
  webhookPathKey: z
    .optional(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be up to 64 letters, digits and hyphens'))
    .describe(
      'Ends the random part of the webhooks URL. Change it to move the URL away from a flood: register moves the webhooks.',
    ),
  receiveConcurrency: z
    .optional(z.int().min(1).max(10_000))
    .describe(
      'Executions of receive: its maximum, and reserved for it. Lambda keeps 100 of an account unreserved, and refuses a deployment that leaves fewer. None are reserved unless set.',
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
  webhooksUrl: z
    .optional(platformUrl)
    .describe(
      'Where the platform delivers, if not at the URL of API Gateway, without a slash at its end. The random part of the path and the event type follow.',
    ),
  formerWebhooksUrls: z
    .optional(z.array(platformUrl).min(1).max(10))
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
  storeConcurrency: z
    .int()
    .min(2)
    .max(1_000)
    .default(50)
    .describe('Batches that store works on concurrently, at most.'),
  reconciliation: reconciliation.prefault({}).describe('How entities are compared with the platform.'),
  onboardingConcurrency: z
    .int()
    .min(2)
    .max(1_000)
    .default(10)
    .describe(
      'Batches of onboardings that advance concurrently, at most. Bounds the concurrent calls to the platform.',
    ),
  onboarding: z.optional(onboardingSettings).describe('How this environment onboards persons.'),
  platformProfile: z
    .optional(checkedProfile)
    .describe("What this environment's platform does otherwise than the defaults say."),
});

/** The settings, checked one against another. */
export const settings = singleSettings.refine(registersWhatIsKnown, {
  path: ['registeredEventTypes'],
  message: 'must be event types that the platform profile knows: webhooks of any other are quarantined',
});

function registersWhatIsKnown({
  registeredEventTypes = [],
  platformProfile: profile,
}: z.infer<typeof singleSettings>): boolean {
  const known = profile?.eventTypes ?? platformProfile.parse({}).eventTypes;
  return registeredEventTypes.every((eventType) => known.includes(eventType));
}

export type Settings = z.infer<typeof settings>;

/** An environment as it is deployed: its name becomes part of the stacks' names. */
export type Environment = { readonly name: string; readonly settings: Settings };

/** cdk.json has no such environment, or one with an invalid setting. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const context = z.object({
  environment: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be lower case letters, digits and hyphens'),
  environments: z.record(z.string(), z.unknown()),
});

/** The command line gives a context as text. */
const onboardingContext = z.pipe(z.unknown(), onboardingSettings);
const sourcesContext = z.array(sourceRange).min(1);

function fromText<Value>(schema: z.ZodType<Value>) {
  return z.preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), schema);
}

/**
 * Reads the environment that cdk.json, or `-c environment=…`, names. A context `platform`, `platformProfile`, `onboarding` or
 * `webhookSources` replaces the environment's: so the same stacks run against another platform, as on a laptop.
 *
 * @throws {SettingsError} naming each setting that is wrong
 */
export function readSettings(node: Node): Environment {
  const { environment: name, environments } = parse(context, 'the context of cdk.json', {
    environment: node.tryGetContext('environment'),
    environments: node.tryGetContext('environments'),
  });
  if (!Object.hasOwn(environments, name)) {
    const known = Object.keys(environments).join(', ');
    throw new SettingsError(`cdk.json has no environment "${name}". It has: ${known}.`);
  }
  const settingsOfName = parse(settings, `environment "${name}" of cdk.json`, environments[name]);
  const inContext = <Value>(key: string, schema: z.ZodType<Value>) =>
    parse(fromText(z.optional(schema)), `the context "${key}"`, node.tryGetContext(key));
  const overrides = {
    platform: inContext('platform', platform) ?? settingsOfName.platform,
    platformProfile: inContext('platformProfile', checkedProfile) ?? settingsOfName.platformProfile,
    onboarding: inContext('onboarding', onboardingContext) ?? settingsOfName.onboarding,
    webhookSources: inContext('webhookSources', sourcesContext) ?? settingsOfName.webhookSources,
  };
  return { name, settings: { ...settingsOfName, ...overrides } };
}

function parse<Schema extends z.ZodType>(schema: Schema, what: string, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new SettingsError(`Correct ${what}:\n${z.prettifyError(result.error)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
