import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from '#cli/command/command-error.ts';
import { repositoryFolder } from '#cli/init/package-folder.ts';
import { checkSettings } from '#infra/read-settings.ts';
import type { Settings } from '#infra/settings.ts';
import { SettingsError } from '#infra/settings-file/settings-error.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { findRefusedStandIns } from '#infra/settings-file/stand-ins.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { synthesize } from '#sandbox/aws/stacks/synthesize.ts';
import { SandboxError } from '#sandbox/errors.ts';
import type { SynthesizedEnvironment } from './cost-table.ts';

/** Of this repository: it takes placeholder addresses too. */
const ownApp = 'node_modules/.bin/node infra/cost-app.ts';

/** No cost depends on the address and the words of the platform, which a new partner may not know yet. */
function anyPlatform(settings: Settings): Readonly<Record<string, unknown>> {
  const platform = { baseUrl: 'https://platform.internal', authUrl: 'https://platform.internal' };
  if (findRefusedStandIns(settings).length === 0) return { platform };
  return {
    platform,
    onboarding: { requestor: 'self', externalVerifier: 'NONE' },
    platformProfile: { ...settings.platformProfile, exAnteEventType: 'none' },
  };
}

/** The settings that decide what the functions ask of AWS. */
export function costSettings({ eventRetentionDays, listEvents, listEntities, reconciliation }: Settings) {
  const lists = { events: listEvents, entities: listEntities };
  const { callsPerSecond, readBackAfterHours, listEveryHours } = reconciliation;
  return { eventRetentionDays, lists, callsPerSecond, readBackAfterHours, listEveryHours };
}

/**
 * Synthesizes the CDK app of a folder, as `cdk synth` does, and takes the two stacks of Drawbridge from it.
 *
 * @param folder the app of this repository unless given, or the current folder outside of it
 * @param name of the settings file, and in the names of the stacks
 * @throws {CommandError} if there is no such app or environment, or a setting is refused
 */
export async function synthesizeApp(
  folder: string | undefined,
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<SynthesizedEnvironment> {
  const root = folder ?? repositoryFolder ?? '.';
  const app = root === repositoryFolder ? ownApp : undefined;
  const outputDirectory = mkdtempSync(join(tmpdir(), 'drawbridge-cost-'));
  try {
    const settings = checkSettings(name, readSettingsFile(join(root, 'settings'), name));
    // No cost depends on the bundles, and bundling takes most of the time.
    const context = { environment: name, ...anyPlatform(settings), 'aws:cdk:bundling-stacks': [] };
    await synthesize({ root, outputDirectory, environment, context, app });
    const stacks = readCloudAssembly(outputDirectory);
    const templates = ['data', 'service'].map((part) => {
      const stack = stacks.find((one) => one.name === `drawbridge-${name}-${part}`);
      if (stack !== undefined) return stack.template;
      throw new CommandError(`The app has no stack drawbridge-${name}-${part}.`, 'name the environment with --env.');
    });
    return { name, templates, region: settings.region, ...costSettings(settings) };
  } catch (cause) {
    if (!(cause instanceof SettingsError || (cause instanceof SandboxError && cause.code === 'NOT_SYNTHESIZED')))
      throw cause;
    throw new CommandError(
      cause.message,
      'correct what the message names, name the folder of your CDK app with --app, or another environment with --env.',
      { cause },
    );
  } finally {
    rmSync(outputDirectory, { recursive: true, force: true });
  }
}
