import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import type { OnboardingSettings } from '#shared/onboarding-settings.ts';
import type { PlatformFetch } from '#shared/platform/fetch.ts';
import type { PlatformEnvironment } from '#shared/platform-connection.ts';

/** What a process entry makes for its function: clients, time, and where lines go. Here all of it is simulated. */
export type ProcessDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly secretsManager: Pick<SecretsManagerClient, 'send'>;
  readonly eventBridge: Pick<EventBridgeClient, 'send'>;
  readonly fetch: PlatformFetch;
  readonly now: () => Date;
  readonly random: () => number;
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly timeout: (milliseconds: number) => AbortSignal;
  /** 64 characters. */
  readonly newSecret: () => string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly environment: SimulatedEnvironment;
};

/** What the stacks put into the environment of the functions. */
export type SimulatedEnvironment = PlatformEnvironment & {
  readonly authUrl: string;
  readonly webhooksUrl: string;
  /** As it is registered on the platform. */
  readonly secretHeader: string;
  readonly retentionDays: number;
  readonly rotation: { readonly interval: number; readonly overlap: number };
  /** Times in milliseconds. */
  readonly reconciliation: {
    readonly callsPerSecond: number;
    readonly grace: number;
    readonly readBackAfter: number;
    readonly staleAfter: number;
    readonly requestor: 'self' | (string & {});
  };
  readonly onboarding: OnboardingSettings;
};

/** A function of Lambda, as its entry exports it. */
export type Handler = (event: unknown, context: object) => Promise<unknown>;

/** Builds what the entry of a function builds while it loads. */
export type BuildHandler = (deps: ProcessDeps) => Handler;

/** What the middy stack of a function is, to whoever invokes it. */
export function toHandler(handler: unknown): Handler {
  return handler as Handler;
}
