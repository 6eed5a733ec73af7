import { join } from 'node:path';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { type Credentials, takeCredentials } from '#cli/credentials/take-credentials.ts';
import { isLaptop, settingsNameOf } from '#cli/deployment/deployment.ts';
import { readEndpoints } from '#cli/deployment/read-endpoints.ts';
import { repositoryFolder } from '#cli/init/package-folder.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { SettingsError } from '#infra/settings-file/settings-error.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { type PlatformProfile, platformProfile } from '#shared/platform/profile/profile.ts';

/** What a probe needs to reach the platform, and what Drawbridge expects of it. */
export type PlatformAccess = {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly credentials: Credentials;
  /** The setting `onboarding.requestor`; undefined if it is not stated. */
  readonly requestor: string | undefined;
  readonly profile: PlatformProfile;
  /** The setting `platformProfile` as the file has it. */
  readonly ownProfile: Readonly<Record<string, unknown>>;
};

export type AccessOptions = {
  readonly env: string;
  /** Where `npm start` wrote `endpoints.json`. */
  readonly directory: string;
  /** The folder of the CDK app, with the folder `settings` in it. */
  readonly app?: string | undefined;
  /** The file with the credentials; asked for without it. */
  readonly file?: string | undefined;
};

/**
 * The addresses and the profile of the settings file, and the credentials of the operator: no stack need be there, and no permission
 * in AWS is used. On the laptop, those of the sandbox.
 *
 * @throws {CommandError}
 */
export async function readPlatformAccess(options: AccessOptions, deps: CommandDeps): Promise<PlatformAccess> {
  const { env, directory, file } = options;
  if (isLaptop(env)) return readSandbox(directory, deps);
  const { settings, ...profiles } = readSettings(options);
  return {
    ...settings.platform,
    requestor: settings.onboarding?.requestor,
    ...profiles,
    credentials: await takeCredentials(file, deps),
  };
}

/** The profile of the settings file, that of the laptop included: nothing need run. @throws {CommandError} */
export function readFileProfile(
  options: Pick<AccessOptions, 'env' | 'app'>,
): Pick<PlatformAccess, 'profile' | 'ownProfile'> {
  const { profile, ownProfile } = readSettings(options);
  return { profile, ownProfile };
}

const record = z.record(z.string(), z.unknown());
const settingsContent = z.object({ platformProfile: z.optional(record) });

function readSettings({ env, app = repositoryFolder ?? '.' }: Pick<AccessOptions, 'env' | 'app'>) {
  const environment = settingsNameOf(env);
  try {
    const content = readSettingsFile(join(app, 'settings'), environment);
    const settings = checkSettings(environment, content);
    return {
      settings,
      profile: settings.platformProfile ?? platformProfile.parse({}),
      ownProfile: settingsContent.parse(content).platformProfile ?? {},
    };
  } catch (cause) {
    if (cause instanceof SettingsError)
      throw new CommandError(cause.message, 'correct what the message names, or name another environment with --env.', {
        cause,
      });
    throw cause;
  }
}

async function readSandbox(directory: string, { fetch }: CommandDeps): Promise<PlatformAccess> {
  const { platform, control } = readEndpoints(directory);
  // What the functions have: `drawbridge profile set` changes it without a file.
  const answer = await fetch(`${control}/platform-profile`).catch((cause: unknown) => {
    throw new CommandError('The sandbox does not answer: endpoints.json is left from an earlier start.', 'npm start', {
      cause,
    });
  });
  const ownProfile = record.parse(await answer.json());
  return {
    baseUrl: platform,
    authUrl: platform,
    credentials: defaultCredentials,
    requestor: 'self',
    profile: platformProfile.parse(ownProfile),
    ownProfile,
  };
}
