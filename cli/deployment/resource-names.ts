import { typedKeys } from '#cli/command/typed-keys.ts';

/** Where the CDK has put what the commands use: the path of the construct, as the logical id has it. */
const paths = {
  queue: {
    Webhooks: ['data', 'Webhooks'],
    WebhooksDlq: ['data', 'WebhooksDlq'],
    Requests: ['data', 'Requests'],
    RequestsDlq: ['data', 'RequestsDlq'],
    Onboarding: ['service', 'Onboarding'],
    OnboardingDlq: ['service', 'OnboardingOnboardingDlq'],
    TokenRefreshes: ['service', 'TokenRefresherTokenRefreshes'],
    TokenRefreshesDlq: ['service', 'TokenRefresherTokenRefreshesDlq'],
    MissedRuns: ['service', 'MissedRuns'],
  },
  function: {
    Refresh: ['service', 'TokenRefresherRefreshFunction'],
    Api: ['service', 'OnboardingApiFunction'],
    RequestEvent: ['service', 'OnboardingRequestEventFunction'],
    UpdatePerson: ['service', 'OnboardingUpdatePersonFunction'],
    ErasePerson: ['service', 'OnboardingErasePersonFunction'],
    Advance: ['service', 'OnboardingAdvanceFunction'],
    Receive: ['service', 'WebhookIngestReceiveFunction'],
    Store: ['service', 'WebhookIngestStoreFunction'],
    Query: ['service', 'WebhookIngestQueryFunction'],
    Register: ['service', 'WebhookIngestRegisterFunction'],
    Replay: ['service', 'WebhookIngestReplayFunction'],
    Drain: ['service', 'RetryUndeliveredDrainFunction'],
    Reconcile: ['service', 'RetryUndeliveredReconcileFunction'],
  },
  secret: {
    PlatformToken: ['data', 'PlatformToken'],
    PlatformCredentials: ['data', 'PlatformCredentials'],
    WebhookSecret: ['data', 'WebhookSecret'],
  },
  bus: { Bus: ['data', 'Bus'] },
  logGroup: {
    Query: ['service', 'WebhookIngestQueryLogs'],
    ErasePerson: ['service', 'OnboardingErasePersonLogs'],
  },
  schedule: {
    TokenRefresh: ['service', 'TokenRefresherTokenRefresh'],
    RegisterRuns: ['service', 'WebhookIngestRegisterRegisterRuns'],
    DrainRuns: ['service', 'RetryUndeliveredDrainRuns'],
    ReconcileRuns: ['service', 'RetryUndeliveredReconcileReconcileRuns'],
  },
} as const;

const types = {
  queue: 'AWS::SQS::Queue',
  function: 'AWS::Lambda::Function',
  secret: 'AWS::SecretsManager::Secret',
  bus: 'AWS::Events::EventBus',
  logGroup: 'AWS::Logs::LogGroup',
  schedule: 'AWS::Scheduler::Schedule',
} as const;

export type ResourceKind = keyof typeof paths;
export type ResourceName<Kind extends ResourceKind> = keyof (typeof paths)[Kind] & string;
export type FunctionName = ResourceName<'function'>;
export type QueueName = ResourceName<'queue'>;
export type ScheduleName = ResourceName<'schedule'>;

export type StackNames = { readonly data: string; readonly service: string };

export type ResourcePath = { readonly stack: keyof StackNames; readonly type: string; readonly path: string };

/** Where a resource of the reference is in the stacks. */
export function resourceNames<Kind extends ResourceKind>(kind: Kind, name: ResourceName<Kind>): ResourcePath {
  const ofKind: Readonly<Record<string, readonly [keyof StackNames, string]>> = paths[kind];
  const found = ofKind[name];
  if (found === undefined) throw new TypeError(`There is no ${kind} ${name}.`);
  const [stack, path] = found;
  return { stack, type: types[kind], path };
}

export const queueNames = typedKeys(paths.queue);
