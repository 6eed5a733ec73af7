import type { Node } from 'constructs';
import * as z from 'zod';
import { findDeclarationFaults } from '#shared/entities/check-declared-statuses.ts';
import { onboardingSettings } from '#shared/onboarding-settings.ts';
import { eventTypeName } from '#shared/platform/event-type.ts';
import { platformUrl } from '#shared/platform/platform-url.ts';
import { platformProfile } from '#shared/platform/profile.ts';

/** The retention periods that CloudWatch Logs offers, of those that make sense here. In days. */
const logRetentionDays = z.literal([7, 14, 30, 60, 90, 180, 365, 400, 731, 1827, 3653]);

/** Where the platform is: {base_url} and {auth_url} of section 5. */
const platform = z.strictObject({ baseUrl: platformUrl, authUrl: platformUrl });

const reconciliation = z
  .strictObject({
    /** How often it begins, or goes on with what it could not end in 15 minutes. Each walk reads the whole entities table. */
    everyHours: z.int().min(1).max(12).default(1),
    /** The platform documents no rate limit. At 5, with 20 persons a page, a run of 15 minutes reads 85,000 of them. */
    callsPerSecond: z.number().min(0.1).max(100).default(5),
    /** What has changed on the platform within this time is no drift: its news may be under way, or be drained. */
    graceMinutes: z.int().min(1).max(1_440).default(15),
    /** A verification, or a person in a status that should pass, is read back after so long without news. */
    readBackAfterHours: z.int().min(1).max(8_760).default(6),
    /** After so long without news an entity is reported as stale, and not read back any more. */
    staleAfterHours: z.int().min(1).max(8_760).default(168),
    /** Who asks for a verification (section 5): the person itself, or one with proxies for all. */
  })
  .refine(({ readBackAfterHours, staleAfterHours }) => readBackAfterHours < staleAfterHours, {
    path: ['readBackAfterHours'],
    message: 'must be less than staleAfterHours: nothing would be read back',
  });

/**
 * In bytes, as the variable of an environment that the profile becomes. A function takes 4 KB of variables, of which it has
 * others.
 */
const maxProfileBytes = 3_000;

/** The platform profile, its statuses held against those of the specification. */
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

/** What an environment of cdk.json may set. All but `platform` have a default. */
const singleSettings = z.strictObject({
  platform,
  /** How long an event and its body are kept, in days. Bodies hold personal data. */
  eventRetentionDays: z.int().min(14).max(3653).default(400),
  logRetentionDays: logRetentionDays.default(365),
  /** The header that the platform sends with each delivery, and that proves it (section 2.1). */
  secretHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be letters, digits and hyphens')
    .default('X-Drawbridge-Secret'),
  /**
   * The ranges (CIDR) from which the platform delivers. Deliveries from anywhere else are answered 403 before anything of them
   * is read. Any address may deliver unless set. Useless behind a proxy: `receive` then sees the address of the proxy.
   */
  webhookSources: z.optional(
    z.array(sourceRange).min(1, 'must name a range: leave it out to accept every address').max(50),
  ),
  /** Ends the random part of the webhooks URL. Change it to move the URL away from a flood: `register` moves the webhooks. */
  webhookPathKey: z.optional(z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be up to 64 letters, digits and hyphens')),
  /**
   * Executions of `receive` at a time: at most so many, and so many that nothing else in the account can take. Lambda
   * keeps 100 of an account unreserved, and refuses a deployment that leaves fewer. None are reserved unless set.
   */
  receiveConcurrency: z.optional(z.int().min(1).max(10_000)),
  /** What the webhook route takes at most, in requests a second. Above it the platform gets 429, and delivers later. */
  webhookThrottle: z
    .strictObject({ rate: z.int().min(1).max(10_000), burst: z.int().min(1).max(5_000) })
    .default({ rate: 2_000, burst: 4_000 }),
  /** What each route of the look-ups takes at most, in requests a second. Above it the caller gets 429. */
  lookUpThrottle: z
    .strictObject({ rate: z.int().min(1).max(10_000), burst: z.int().min(1).max(5_000) })
    .default({ rate: 100, burst: 200 }),
  /** What each route of the onboardings takes at most, in requests a second. Above it the caller gets 429. */
  onboardingThrottle: z
    .strictObject({ rate: z.int().min(1).max(10_000), burst: z.int().min(1).max(5_000) })
    .default({ rate: 50, burst: 100 }),
  /**
   * Where the platform delivers, without a slash at its end, if not at the URL that API Gateway gives. The random part of the
   * path and the event type follow.
   */
  webhooksUrl: z.optional(platformUrl),
  /** URLs that were in the place of `webhooksUrl` before: undelivered webhooks of theirs are ours, and are drained. */
  formerWebhooksUrls: z.optional(z.array(platformUrl).min(1).max(10)),
  /** The event types to register; all that the profile knows unless set. */
  registeredEventTypes: z.optional(z.array(eventTypeName).min(1)),
  /**
   * How old the secret of the header becomes, and for how long the previous one is accepted once every webhook is
   * registered with the new one: longer than the platform sends a delivery again.
   */
  webhookSecretRotation: z
    .strictObject({ everyDays: z.int().min(1).max(3650), overlapHours: z.int().min(1).max(720) })
    .default({ everyDays: 90, overlapHours: 72 }),
  /** How many batches `store` works on side by side, at the most. */
  storeConcurrency: z.int().min(2).max(1_000).default(50),
  /** How entities are held against the platform. */
  reconciliation: reconciliation.prefault({}),
  /** How many batches of onboardings are worked on side by side, at the most: what it asks of the platform at a time. */
  onboardingConcurrency: z.int().min(2).max(1_000).default(10),
  /** How this environment onboards otherwise than the defaults say. */
  onboarding: z.optional(onboardingSettings),
  /** What this environment's platform does otherwise than the defaults say. */
  platformProfile: z.optional(checkedProfile),
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

/** cdk.json has no such environment, or one with a setting that cannot be used. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const context = z.object({
  environment: z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be lower case letters, digits and hyphens'),
  environments: z.record(z.string(), z.unknown()),
});

/** On the command line a context is text. */
const onboardingContext = z.pipe(z.unknown(), onboardingSettings);
const sourcesContext = z.array(sourceRange).min(1);

function fromText<Value>(schema: z.ZodType<Value>) {
  return z.preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), schema);
}

/**
 * Reads the environment that cdk.json, or `-c environment=…`, names. A context `platform`, `platformProfile`, `onboarding` or
 * `webhookSources` is taken in the place of the environment's: so the very same stacks run against another platform, as on a laptop.
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
  throw new SettingsError(`Put ${what} right:\n${z.prettifyError(result.error)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
