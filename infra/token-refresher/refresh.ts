import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type AlarmDeclarations, errorsOf, notConfiguredAlarm, ownMetric } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import { recursionAlarm } from '#infra/parts/message-alarms.ts';
import { profileVariable } from '#infra/parts/platform-access.ts';
import { visibilityTimeoutOf } from '#infra/parts/retries.ts';
import { drawbridge, readErrors, readLines } from '#infra/parts/runbook-commands.ts';
import { useKey, via } from '#infra/parts/use-key.ts';
import type { WorkQueue } from '#infra/parts/work-queue.ts';
import { refreshInterval } from '#shared/secrets/platform-token.ts';

export type RefreshProps = Pick<CapabilityProps, 'settings' | 'data' | 'alarms'> & { readonly queue: WorkQueue };

export const refreshTimeout = Duration.seconds(20);

/** The token lasts for an hour. While refreshes succeed, it never has less than 30 minutes left. */
const minTokenLeft = Duration.minutes(25);

/**
 * For how long `NotConfigured` stays on after the last run without credentials: until the first token, the first
 * registrations and the alarms on them are over.
 */
const configuredAfter = Duration.minutes(30);

/** Replaces the platform token, and is the only function that may read the credentials. */
export class Refresh extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, { settings, data, alarms, queue }: RefreshProps) {
    const { secretsKeys, platformToken, platformCredentials } = data;
    super(scope, id, {
      data,
      settings,
      description: 'Replaces the platform token before half its life is over, or when the platform refuses it',
      entry: 'functions/token-refresher/refresh/lambda.ts',
      environment: {
        PLATFORM_AUTH_URL: settings.platform.authUrl,
        PLATFORM_TOKEN_SECRET_ID: platformToken.secretArn,
        PLATFORM_CREDENTIALS_SECRET_ID: platformCredentials.secretArn,
        ...profileVariable(settings),
      },
      memorySize: 512,
      timeout: refreshTimeout,
      callsPlatform: true,
      onFailure: 'It is never invoked asynchronously: the schedule too goes through the queue, which keeps what fails.',
    });
    this.allow(['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'], platformToken.secretArn);
    this.allow(['secretsmanager:GetSecretValue'], platformCredentials.secretArn);
    for (const { keyArn } of secretsKeys) this.allow(useKey, keyArn, via('secretsmanager'));
    // One message at a time, so that the reports of a batch cannot refresh concurrently.
    this.consume(queue, { batchSize: 1 });
    alarms.add({ ...alarmsOf(this), RefreshRecursion: recursionAlarm('refresh', this, queue) });
  }
}

function alarmsOf(refresh: Refresh): AlarmDeclarations {
  /** Each period, or the next one, has a run. */
  const period = Duration.millis(refreshInterval);
  const tryInterval = visibilityTimeoutOf(refresh.timeout);
  const commands = readErrors(refresh);
  return {
    [notConfiguredAlarm]: {
      metric: ownMetric(refresh, 'CredentialsMissing', { period: configuredAfter, statistic: 'Maximum' }),
      above: 0,
      hasEnd: true,
      part: 'refresh',
      meaning:
        'There are no credentials for the platform yet: no token, and no registered webhook. Other alarms that follow from this stay off.',
      remedy:
        'Run drawbridge credentials set. Refresh fetches a token immediately, and Register registers the webhooks within 10 minutes.',
      commands: [drawbridge('credentials set'), readLines(refresh, 'message', 'credentials missing')],
    },
    TokenRunsOut: {
      metric: ownMetric(refresh, 'TokenSecondsLeft', { period, statistic: 'Maximum' }),
      below: minTokenLeft.toSeconds(),
      onlyWhenConfigured: true,
      periods: 2,
      hasEnd: true,
      part: 'token',
      meaning:
        'The platform token runs out, or is refused while no refresh succeeds, or Refresh does not run. Once it has expired, every call to the platform fails and is retried later.',
      remedy:
        'Read the errors of Refresh. Most likely the token service is down, or the secret PlatformCredentials is wrong.',
      commands,
    },
    TokenRefreshesFailed: {
      metric: ownMetric(refresh, 'TokenRefreshesFailed', { period, statistic: 'Sum' }),
      above: 0,
      // SQS takes reports of one refused token each five minutes at most, so that a period may have none.
      periods: 3,
      outOf: 4,
      hasEnd: true,
      isSparse: true,
      part: 'refresh',
      meaning:
        'A new platform token is due, and every refresh fails, or the platform keeps refusing the token that the token service gives. Calls use the stored token until it expires.',
      remedy:
        'Read the errors of Refresh. They name the cause: the token service, the credentials or Secrets Manager. If the same token comes again, ask the operator of the platform why the token is refused.',
      commands,
    },
    RefreshErrors: {
      metric: errorsOf(refresh, period),
      above: 0,
      // SQS retries less often than once a minute.
      periods: 3,
      hasEnd: true,
      part: 'refresh',
      meaning: `Refresh crashes or exceeds its time limit. SQS retries it every ${tryInterval.toMinutes()} minutes.`,
      remedy: 'Read the errors of Refresh, and fix their cause before the platform token expires.',
      commands,
    },
  };
}
