import type { Node } from 'constructs';
import * as z from 'zod';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { checkedProfile, platform, sourceRange } from './setting-groups.ts';
import { type Settings, settings } from './settings.ts';

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

/** What only an account has. The laptop leaves these out. */
const leaveOutContext = z.array(z.enum(['webhookDomain', 'webhooksUrl', 'network', 'backup']));

function fromText<Value>(schema: z.ZodType<Value>) {
  return z.preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), schema);
}

/**
 * Reads the environment that cdk.json, or `-c environment=…`, names. A context `platform`, `platformProfile`, `onboarding` or
 * `webhookSources` replaces the environment's, and `leaveOut` names settings to do without: so the same stacks run against another
 * platform, as on a laptop.
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
  const leftOut = (inContext('leaveOut', leaveOutContext) ?? []).map((key) => [key, undefined] as const);
  return { name, settings: { ...settingsOfName, ...overrides, ...Object.fromEntries(leftOut) } };
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
