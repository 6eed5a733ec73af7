import { createWriteStream, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type OnboardingSettings, onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { createHostControl, createOutageControl } from './aws/control.ts';
import { type Host, type HostOptions, startHost } from './aws/host.ts';
import { createInvocations } from './aws/invocations.ts';
import { createProfileControl, profileOf } from './aws/profile-control.ts';
import { type SynthesizeProps, synthesize } from './aws/stacks/synthesize.ts';
import { lockDirectory } from './directory-lock.ts';
import { describeEndpoints, type Endpoints } from './endpoints.ts';
import { joinPlatform } from './join-platform.ts';
import { defaultCredentials } from './platform/access/tokens.ts';
import type { Platform } from './platform/app/platform.ts';
import { type PlatformServerOptions, startPlatformServer } from './platform/app/serve.ts';
import { readWebhookHeaders } from './webhook-headers.ts';

export type SandboxOptions = Omit<HostOptions, 'assembly' | 'now' | 'onLog'> & {
  /** The repository: where cdk.json and settings/laptop.json are. */
  readonly root: string;
  /** The directory for all files that the sandbox writes. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Event types of the platform that are not in the specification. */
  readonly newEventTypes?: readonly string[];
  /** The settings of the platform, and an observer of its calls. */
  readonly platform?: Pick<PlatformServerOptions, 'seed' | 'settings' | 'onCall' | 'onWarning'>;
  /** The platform profile of the stacks, if it differs from the defaults. */
  readonly platformProfile?: Readonly<Partial<PlatformProfile>> | undefined;
  /**
   * The onboarding settings of the stacks, if they differ from the defaults. Called before the synthesis, because the
   * requestor can be a person of this platform.
   */
  readonly onboarding?: ((platform: Platform) => Readonly<Partial<OnboardingSettings>>) | undefined;
  /** The requestors of the platform profile, if they differ from the defaults. Called after `onboarding`, for the same reason. */
  readonly requestors?: ((platform: Platform) => PlatformProfile['requestors']) | undefined;
  readonly onStep?: (step: string) => void;
  /** Each line that a function writes to the log. */
  readonly onFunctionLog?: ((functionName: string, line: string) => void) | undefined;
  /** Writes the cloud assembly; by default the CDK app of cdk.json does. */
  readonly writeAssembly?: (props: SynthesizeProps) => Promise<void>;
};

/**
 * All of Drawbridge on one machine: the stacks, and the platform that they talk to. All share the platform's clock. The
 * platform does as the platform profile and the onboarding settings of the stacks say.
 */
export type Sandbox = {
  readonly host: Host;
  readonly platform: Platform;
  readonly endpoints: Endpoints;
  /**
   * Advances the clock: the platform's work, schedules and messages are done, each when it is due. `platform.clock.advance` moves the
   * clock and does the platform's work only.
   */
  readonly advance: (seconds: number) => Promise<void>;
  /** The file with `endpoints`, for tools. */
  readonly endpointsFile: string;
  /** The log of all functions. */
  readonly logFile: string;
  readonly close: () => Promise<void>;
};

/** How the hosted stacks onboard. Without the variable they have the defaults. */
function onboardingOf({ functions }: Host): OnboardingSettings {
  return onboardingSettings.parse(parseJson(functions.variable('ONBOARDING_SETTINGS') ?? '{}'));
}

/**
 * Starts a platform, synthesizes the stacks with its address, and hosts them. Resolves when they have a token and a
 * registered webhook for each event type.
 *
 * @throws {SandboxError}
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { root, directory, environment, newEventTypes = [], onStep = () => undefined } = options;
  const { platform: platformOptions = {}, onboarding, requestors, ...hostOptions } = options;
  const { writeAssembly = synthesize } = options;
  const assembly = join(directory, 'cdk.out');
  const unlock = lockDirectory(directory);
  rmSync(assembly, { recursive: true, force: true });
  const logFile = join(directory, 'functions.log');
  const log = createWriteStream(logFile);
  const onLog = (functionName: string, line: string) => {
    log.write(`${functionName} ${line}\n`);
    options.onFunctionLog?.(functionName, line);
  };
  const closers: (() => Promise<void> | void)[] = [unlock, () => new Promise<void>((resolve) => log.end(resolve))];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    let host: Host | undefined;
    let advancing: Promise<void> = Promise.resolve();
    /** One after another, as the clock itself does. */
    const advance = (seconds: number): Promise<void> => {
      const { clock } = platform;
      const advanced = advancing.then(() => host?.advance(seconds, clock.advance) ?? clock.advance(seconds));
      advancing = advanced.catch(() => undefined);
      return advanced;
    };
    const { platform, ...server } = await startPlatformServer({
      ...platformOptions,
      answersContainers: options.answersContainers,
      newEventTypes,
      fetch,
      now: () => new Date(),
      advance,
      onError: (error) => log.write(`platform ${inspect(error)}\n`),
      furtherControl: createHostControl(() => host?.schedules.all ?? [])
        .route(
          '/',
          createInvocations(() => host?.functions),
        )
        .route(
          '/',
          createOutageControl((isReachable) => host?.setReachable(isReachable)),
        )
        .route(
          '/',
          createProfileControl(() => host?.functions),
        ),
    });
    closers.push(server.close);

    onStep('Synthesizing the stacks that cdk deploy deploys');
    const address = { baseUrl: server.origin, authUrl: server.origin };
    // The platform delivers from this machine.
    const webhookSources = ['127.0.0.1/32', '::1/128'];
    const settings = {
      platform: address,
      onboarding: onboarding?.(platform),
      platformProfile: requestors
        ? { ...options.platformProfile, requestors: requestors(platform) }
        : options.platformProfile,
      webhookSources,
    };
    const context = { environment: 'laptop', ...settings };
    await writeAssembly({ root, outputDirectory: assembly, environment, context });

    onStep('Hosting the stacks');
    host = await startHost({ ...hostOptions, assembly, now: platform.clock.now, onLog });
    closers.push(host.close);
    server.adopt(profileOf(host.functions), { externalVerifier: onboardingOf(host).externalVerifier });

    onStep('Fetching a token and registering a webhook for each event type');
    const { registrations } = platform;
    await joinPlatform({ host, credentials: defaultCredentials, registrations, newEventTypes });
    // No alarm goes off because of the first registrations. The token is good, and `token show` takes its expiry from the metric.
    host.measured.forget(['TokenSecondsLeft']);
    const webhookHeaders = await readWebhookHeaders(host);
    const endpoints = describeEndpoints({ host, platform: server.origin, webhookHeaders });
    const endpointsFile = join(directory, 'endpoints.json');
    closers.push(() => rmSync(endpointsFile, { force: true }));
    writeFileSync(endpointsFile, `${JSON.stringify(endpoints, undefined, 2)}\n`, { mode: 0o600 });
    return { host, platform, endpoints, advance, endpointsFile, logFile, close };
  } catch (error) {
    await close();
    throw error;
  }
}
