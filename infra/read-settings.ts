import type { Node } from 'constructs';
import * as z from 'zod';
import { nearestWord } from '#shared/nearest-word.ts';
import { parseSetting, parseSettings } from './parse-settings.ts';
import { checkedProfile, onboarding, platform, sourceRange } from './setting-groups.ts';
import { type Settings, settings } from './settings.ts';
import { SettingsError } from './settings-file/settings-error.ts';
import {
  copyTheExample,
  fileNameOf,
  laptop,
  listEnvironments,
  readSettingsFile,
  requireEnvironmentName,
} from './settings-file/settings-file.ts';
import { findRefusedStandIns, refuseUnready } from './settings-file/stand-ins.ts';

/** An environment as it is deployed: its name becomes part of the stacks' names. */
export type Environment = { readonly name: string; readonly settings: Settings };

const sourcesContext = z.array(sourceRange).min(1);

/** The settings that a context of the same name replaces. */
const replaceableSettings = ['platform', 'platformProfile', 'onboarding', 'webhookSources'] as const;

type ReplaceableSetting = (typeof replaceableSettings)[number];

const contexts = z.record(z.string(), z.unknown());

/** The command line gives a context as text. */
function fromText<Value>(schema: z.core.$ZodType<Value>) {
  return z.preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), schema);
}

/**
 * Reads the settings of the environment that the context names from `settings/<environment>.json`. A context `platform`,
 * `platformProfile`, `onboarding` or `webhookSources` replaces the setting of the file: so the same stacks run against
 * another platform, as on a laptop.
 *
 * @param directory where the files are
 * @throws {SettingsError} naming each setting that is wrong
 */
export function readSettings(node: Node, directory: string): Environment {
  const name = requireName(node.tryGetContext('environment'), directory);
  const ofFile = checkSettings(name, readSettingsFile(directory, name));
  const inContext = <Value>(key: ReplaceableSetting, schema: z.core.$ZodType<Value>) =>
    parseSetting(fromText(z.optional(schema)), node.tryGetContext(key), `The context "${key}" is invalid`, [key]);
  const ofContext = {
    platform: inContext('platform', platform),
    platformProfile: inContext('platformProfile', checkedProfile),
    onboarding: inContext('onboarding', onboarding),
    webhookSources: inContext('webhookSources', sourcesContext),
  } satisfies Record<ReplaceableSetting, unknown>;
  const effective = {
    ...ofFile,
    platform: ofContext.platform ?? ofFile.platform,
    platformProfile: ofContext.platformProfile ?? ofFile.platformProfile,
    onboarding: ofContext.onboarding ?? ofFile.onboarding,
    webhookSources: ofContext.webhookSources ?? ofFile.webhookSources,
  };
  for (const key of replaceableSettings)
    refuseUnready(name, { values: { [key]: ofContext[key] } }, `The context "${key}"`);
  const isReplaced = (key: string) => replaceableSettings.some((one) => one === key && ofContext[one] !== undefined);
  const deployedOfFile = Object.entries(ofFile).filter(([key]) => !isReplaced(key));
  const standIns = findRefusedStandIns(effective);
  refuseUnready(name, { values: Object.fromEntries(deployedOfFile), standIns }, fileNameOf(name));
  return { name, settings: effective };
}

/**
 * Refuses a context that would be ignored: settings in cdk.json, and what looks like a setting. Only for Drawbridge's own app: another
 * one has context of its own, such as `environments` or `account`.
 *
 * @throws {SettingsError} naming each key
 */
export function checkContext(node: Node): void {
  refuseSettingsOfCdkJson(node.tryGetContext('environments'));
  checkContextKeys(Object.keys(contexts.parse(node.getAllContext())));
}

/**
 * Checks the content of an environment's file, and adds the defaults.
 *
 * @throws {SettingsError} naming each setting that is wrong
 */
export function checkSettings(name: string, content: unknown): Settings {
  return parseSettings(withoutSchemaLink(content), `${fileNameOf(name)} is invalid`);
}

/** Editors find the schema of a file by its `$schema`, which is not a setting. */
function withoutSchemaLink(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return content;
  return Object.fromEntries(Object.entries(content).filter(([key]) => key !== '$schema'));
}

/** Settings have a file of their own, since an upgrade of Drawbridge can change cdk.json. */
function refuseSettingsOfCdkJson(environments: unknown): void {
  if (environments === undefined) return;
  const names = Object.keys(z.record(z.string(), z.unknown()).catch({}).parse(environments));
  const moves = names.map((name) => `  - "${name}" to ${fileNameOf(name)}`);
  throw new SettingsError(
    [
      'cdk.json has settings in the context "environments". Move the value of each environment to a file:',
      ...moves,
      'Then remove "environments" and "environment" from cdk.json, and name the environment: --context environment=NAME.',
    ].join('\n'),
  );
}

function requireName(name: unknown, directory: string): string {
  if (name !== undefined) return requireEnvironmentName(name);
  const known = listEnvironments(directory);
  const lines = known.some((environment) => environment !== laptop)
    ? [`The folder settings has: ${known.join(', ')}.`]
    : [
        `To deploy: ${copyTheExample('production')} Then add --context environment=production.`,
        `To synthesize what npm start hosts: add --context environment=${laptop}.`,
      ];
  throw new SettingsError(['Name the environment: --context environment=NAME.', ...lines].join('\n'));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Refuses a setting that only the file has, and a misspelt name. The CDK has context of its own. */
function checkContextKeys(keys: readonly string[]): void {
  const used: readonly string[] = ['environment', ...replaceableSettings];
  const faults = keys.filter((key) => !used.includes(key)).flatMap((key) => faultOf(key, used));
  if (faults.length > 0) throw new SettingsError(['Drawbridge does not read this context:', ...faults].join('\n'));
}

function faultOf(key: string, used: readonly string[]): readonly string[] {
  const ofFile = Object.keys(settings.shape);
  const nearest = nearestWord(key, [...used, ...ofFile]);
  if (nearest === undefined) return [];
  if (nearest !== key) return [`  - ${key}: unknown. Did you mean ${nearest}?`];
  return [`  - ${key}: only the settings file sets it. The context replaces ${replaceableSettings.join(', ')}.`];
}
