import { checkSettings } from '#infra/read-settings.ts';
import { type Settings, settings, unitOf } from '#infra/settings.ts';
import { fileNameOf } from '#infra/settings-file/settings-file.ts';
import { type SchemaNode, settingsSchema } from '#infra/settings-file/settings-schema.ts';
import { findRefusedStandIns, refuseUnready } from '#infra/settings-file/stand-ins.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

/** A setting as an environment has it. */
export type EffectiveSetting = {
  /** Its path, such as `reconciliation.everyHours`. */
  readonly key: string;
  /** Undefined if the environment does not set it and it has no default. */
  readonly value: unknown;
  readonly unit: string | undefined;
  readonly default: unknown;
  /** `default`, or the file and the key in it. */
  readonly source: string;
};

/**
 * Every setting of an environment, in the order of the schema.
 *
 * @param content what the environment's file has
 * @throws {SettingsError} naming each setting that is wrong
 */
export function listSettings(environment: string, content: unknown): readonly EffectiveSetting[] {
  const checked = checkSettings(environment, content);
  const standIns = findRefusedStandIns(checked);
  refuseUnready(environment, { values: checked, standIns }, fileNameOf(environment));
  const effective = withDefaultsOfCode(checked);
  const defaults = { ...withDefaultsOfCode(settings.parse({ platform: unusedPlatform })), platform: undefined };
  const file = fileNameOf(environment);
  return leavesOf(settingsSchema(), effective).map(({ path, node }) => {
    const key = path.join('.');
    return {
      key,
      value: valueAt(effective, path),
      unit: unitOf(key),
      default: valueAt(defaults, path) ?? node.default,
      source: valueAt(content, path) === undefined ? 'default' : `${file}:${key}`,
    };
  });
}

/** The platform has no default, and is not in the list of defaults. */
const unusedPlatform = { baseUrl: 'https://platform.invalid', authUrl: 'https://platform.invalid' };

/** The functions themselves have these defaults. */
function withDefaultsOfCode(values: Settings) {
  return {
    ...values,
    onboarding: onboardingSettings.parse(values.onboarding ?? {}),
    platformProfile: values.platformProfile ?? platformProfile.parse({}),
  };
}

type Leaf = { readonly path: readonly string[]; readonly node: SchemaNode };

/** A group that the environment does not have is one leaf. */
function leavesOf({ properties = {} }: SchemaNode, value: unknown, path: readonly string[] = []): readonly Leaf[] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const at = [...path, name];
    const child = valueAt(value, [name]);
    const isGroup = Object.keys(node.properties ?? {}).length > 0 && child !== undefined;
    return isGroup ? leavesOf(node, child, at) : [{ path: at, node }];
  });
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (node, name) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? Reflect.get(node, name) : undefined,
    value,
  );
}
