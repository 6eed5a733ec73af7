import * as z from 'zod/mini';
import { version } from '#shared/version.ts';
import { textVariable } from './lambda-process.ts';

/** The CloudWatch namespace of all our metrics. */
export const metricsNamespace = 'Drawbridge';

/** The dimension of each of our metrics. Two environments in one account share no metric. */
export const environmentDimension = 'Environment';

/** The environment variables of a function that writes metrics: to be spread into the schema of its environment. */
export const metricsVariables = {
  /** The name of the environment. */
  ENVIRONMENT: textVariable,
};

export type MetricsEnvironment = {
  readonly [Name in keyof typeof metricsVariables]: z.infer<(typeof metricsVariables)[Name]>;
};

/** The variables that Lambda sets: spread them into the schema of the environment of a function that can be released in steps. */
export const versionVariables = {
  AWS_LAMBDA_FUNCTION_NAME: z.optional(z.string()),
  AWS_LAMBDA_FUNCTION_VERSION: z.optional(z.string()),
};

type VersionEnvironment = {
  readonly [Name in keyof typeof versionVariables]?: z.infer<(typeof versionVariables)[Name]>;
};

/** The dimensions of a published version of a function, as the metrics of Lambda itself have them. */
export type FunctionVersion = { readonly FunctionName: string; readonly ExecutedVersion: string };

/** The version that runs. Undefined of a function that publishes no versions. */
export function publishedVersion(environment: VersionEnvironment): FunctionVersion | undefined {
  const { AWS_LAMBDA_FUNCTION_NAME: FunctionName, AWS_LAMBDA_FUNCTION_VERSION: ExecutedVersion } = environment;
  if (FunctionName === undefined || ExecutedVersion === undefined || ExecutedVersion === '$LATEST') return undefined;
  return { FunctionName, ExecutedVersion };
}

/** What each count counts. Only the reference reads the texts: no function bundles them. */
export const countMeanings = {
  EventsStored: 'Events stored for the first time.',
  DuplicateDeliveries: 'Deliveries of events that were already stored.',
  EventsQuarantined: 'Events stored in quarantine: they cannot take effect.',
  EntityChanges: 'Changes of entities that were published.',
  EntityAnomalies: 'Events that contradict a final status of their entity.',
  ValidationsFailed: 'Refused validations that events report.',
  DriftRepaired: 'Entities that store has repaired after a reconciliation.',
  DriftFound: 'Entities that reconciliation found to differ from the platform.',
  EntitiesReconciled: 'Entities compared with the platform.',
  EntitiesReadBack: 'Entities that reconciliation has to read back.',
  EntitiesGone: 'Entities that the platform no longer has.',
  ReadBacksUnanswered: 'Entities for which the platform did not answer a read.',
  ReconciliationsCompleted:
    'Runs of reconciliation that read back all that was due. Runs before the first token write 0.',
  PreviousSecretDeliveries: 'Deliveries with the previous secret, during a rotation.',
  DeliveriesUnauthorized: 'Requests to the webhooks URL without the registered secret. They got 401.',
  DeliveriesOutOfRange: 'Requests to the webhooks URL from outside `webhookSources`. They got 403.',
  TokensRefreshed: 'New platform tokens.',
  TokenRefreshesFailed: 'Refreshes of the platform token that failed, or got the token again that was to be replaced.',
  UndeliveredFound:
    'Undelivered records that drain listed. Each run that reads the list writes it, also with 0. Runs before the first token write 0.',
  UndeliveredDrained: 'Undelivered records that drain stored.',
  UndeliveredQuarantined: 'Undelivered records that drain stored in quarantine.',
  UndeliveredMarked: 'Undelivered records that the platform accepted as marked.',
  UndeliveredLate: 'Undelivered records that are older than what was marked before.',
  OnboardingsAccepted: 'Requests for onboardings that were accepted.',
  OnboardingsRejected: 'Requests for onboardings that were rejected.',
  OnboardingsCompleted: 'Onboardings that ended with an ACTIVE person.',
  OnboardingsEnded: 'Onboardings that ended otherwise.',
  OnboardingsStopped: 'Onboardings that stopped, and wait for an operator.',
  OnboardingsStalled: 'Onboardings that exceeded the deadline of their step.',
  UnknownStatuses:
    'Reads of a person or a verification with a status that no setting explains, or that is not a word. An onboarding that waits with such a status reads it again within an hour.',
  MessagesFailedRepeatedly:
    'Failures of queue messages that SQS had delivered at least five times, and onboardings that were leased for the fifth time.',
} as const;

/**
 * From this receive on, the failure of a message counts as `MessagesFailedRepeatedly`. SQS leaves a message out of the age of its queue
 * after three receives: without this count, no metric shows the message before it is in the dead-letter queue.
 */
export const repeatedFailures = 5;

export type CountName = keyof typeof countMeanings;

/** The unit of each measure. */
const units = {
  EventsNowQuarantined: 'Count',
  OldestQuarantinedAge: 'Seconds',
  QuarantinedExpiring: 'Count',
  OnboardingsNowStopped: 'Count',
  OldestStoppedAge: 'Seconds',
  OnboardingsNowStalled: 'Count',
  OldestStalledAge: 'Seconds',
  ErasuresUnfinished: 'Count',
  StandInsUsed: 'Count',
  OldestErasureAge: 'Seconds',
  OldestDueAge: 'Seconds',
  CredentialsMissing: 'Count',
  TokenSecondsLeft: 'Seconds',
  UndeliveredNow: 'Count',
  UndeliveredUnstored: 'Count',
  OldestUndeliveredAge: 'Seconds',
  UndeliveredMarksRefused: 'Count',
  UndeliveredForeign: 'Count',
  UndeliveredBehindForeign: 'Count',
  UndeliveredUntimed: 'Count',
  EntitiesStale: 'Count',
  RegistrationsMissing: 'Count',
  RegistrationsDrifted: 'Count',
  RegistrationsRepaired: 'Count',
  RegistrationsForeign: 'Count',
  RegistrationsFailed: 'Count',
} as const;

export type MeasureName = keyof typeof units;

/** What each measure says, in its unit. Only the reference reads the texts: no function bundles them. */
export const measureMeanings = {
  EventsNowQuarantined: 'Events in quarantine; 1,000 stands for 1,000 or more.',
  OldestQuarantinedAge: 'Seconds since the oldest of these events arrived.',
  QuarantinedExpiring: 'Events in quarantine that are deleted within 7 days, of the oldest 16,000.',
  OnboardingsNowStopped: 'Onboardings that are stopped; 1,000 stands for 1,000 or more.',
  OldestStoppedAge: 'Seconds since the first of these onboardings stopped.',
  OnboardingsNowStalled: 'Onboardings that are at a step for longer than its deadline; 1,000 stands for 1,000 or more.',
  OldestStalledAge: 'Seconds since the first of these onboardings passed its deadline.',
  StandInsUsed: 'Settings of the environment that have a stand-in for what only the operator of the platform knows.',
  ErasuresUnfinished: 'Erasures of persons that have begun and not ended; 1,000 stands for 1,000 or more.',
  OldestErasureAge: 'Seconds since the first of these erasures began.',
  OldestDueAge:
    'Seconds since the earliest due time of the onboardings that a run of Wake leased. A due time lasts until a run of Advance has come to its end: a failed send does not move it. A run that leases none writes nothing.',
  CredentialsMissing: '1 from the first deployment until the platform credentials are stored, and 0 from then on.',
  TokenSecondsLeft:
    'Seconds until the stored platform token expires. 0 without a valid token. The whole lifetime while the token service gives no other token.',
  UndeliveredNow:
    'Undelivered records of Drawbridge on the platform that have a time, less those that the run marked; 1,000 stands for 1,000 or more.',
  UndeliveredUnstored:
    'Undelivered records that the latest run listed and has not stored. 0 after a run that stored all.',
  OldestUndeliveredAge: 'Age in seconds of the oldest undelivered record.',
  UndeliveredMarksRefused: 'Marks in a row that the platform refused.',
  UndeliveredForeign: 'Undelivered records of another system.',
  UndeliveredBehindForeign: 'Undelivered records of Drawbridge that wait behind those of another system.',
  UndeliveredUntimed:
    'Undelivered records of Drawbridge without a `createdOn` that can be read. They are stored. `Drain` marks none of them itself; a mark of a newer webhook may include them.',
  EntitiesStale:
    'Entities without a report for longer than `reconciliation.staleAfterHours`. Counted up to a million orders, and a million others.',
  RegistrationsMissing: 'Event types without a webhook on the platform.',
  RegistrationsDrifted: 'Our webhooks with another URL or other headers.',
  RegistrationsRepaired: 'Webhooks that register created or updated.',
  RegistrationsForeign: 'Event types with a webhook of another URL.',
  RegistrationsFailed: 'Webhooks that register could not create or update.',
} as const satisfies Readonly<Record<MeasureName, string>>;

/** What each duration says, in milliseconds. Only the reference reads the texts: no function bundles them. */
export const durationMeanings = {
  ReceiptToBusDuration:
    'Milliseconds from the receipt of a webhook until it was stored, and its changes were on the bus. The sample count is the number of webhooks.',
  RequestToActiveDuration:
    'Milliseconds from the acceptance of a request until its person was ACTIVE. The person or the platform takes most of it.',
  PlatformCallDuration:
    'Milliseconds until the platform answered a call, or the call failed. Each retry is a call. The sample count is the number of calls.',
} as const;

export type DurationName = keyof typeof durationMeanings;

/** What each count of calls counts. The sum has the dimension of all metrics; each operation has a series of its own besides. */
export const callCountMeanings = {
  PlatformCallsFailed:
    'Calls that the platform answered with 5xx or did not answer. Each retry is a call. A series for each operation has the dimension `Operation` besides.',
} as const;

export type CallCountName = keyof typeof callCountMeanings;

/** What each count of a version counts. A function that publishes no versions writes none. */
export const versionCountMeanings = {
  FirstAttemptsFailed:
    'Records that failed when SQS handed them out for the first time, other than by a conflict with another writer, and webhooks that were answered 5xx. Written where `rollout` is `canary`: a series for each version, with the dimensions `FunctionName` and `ExecutedVersion` besides.',
  NewWebhooks: 'Webhooks that a version of `store` stored for the first time. Written as `FirstAttemptsFailed` is.',
  NewWebhooksUnpublished:
    'Of `NewWebhooks` those that are in quarantine, or had nothing to publish. Written as `FirstAttemptsFailed` is.',
  OnboardingsGivenUp:
    'Onboardings that a version of `advance` stopped, or ended because the platform or its client refused a call. Written as `FirstAttemptsFailed` is.',
} as const;

export type VersionCountName = keyof typeof versionCountMeanings;

/** What the memory of a process says, in megabytes. */
export const memoryMeanings = {
  MemoryUsed:
    'Peak of the resident memory of a process of `receive` or `store`, in megabytes: of the first invocation, and again whenever it has grown by a quarter. With the dimension `FunctionName` besides. The other functions write the lines of Lambda (REPORT).',
} as const;

/** A peak is written again if it has grown by this factor: a few lines in the life of a process. */
const memoryGrowth = 1.25;

/** The second dimension of a count of calls: the operation as section 4 of the specification names it. */
export const operationDimension = 'Operation';

/** CloudWatch takes no more values of a metric in one line. */
const maxValues = 100;

export type Metrics = {
  /** Adds one, or the given number. */
  readonly count: (name: CountName, more?: number) => void;
  /** Adds one call of an operation. CloudWatch bills a series only for the hours in which the operation has a value. */
  readonly countCall: (name: CallCountName, operation: string) => void;
  /** Adds one to the count of the version that runs. */
  readonly countOfVersion: (name: VersionCountName) => void;
  /** Sets the current value. The latest value before a flush counts. */
  readonly measure: (name: MeasureName, value: number) => void;
  /** Adds a duration in milliseconds. All of an invocation count, so that CloudWatch computes percentiles. */
  readonly time: (name: DurationName, milliseconds: number) => void;
  /** Writes every count, measure and duration since the last flush. */
  readonly flush: () => void;
};

/** The sets of dimensions under which a line counts, and the values of all but the environment. */
type Dimensions = { readonly sets: readonly (readonly string[])[]; readonly values: Readonly<Record<string, string>> };

type MetricsDeps = {
  /** Takes one line, its end included. */
  readonly write: (line: string) => void;
  readonly now: () => Date;
  /** The name of the environment. */
  readonly environment: string;
  /** The version that runs. Without it, counts of a version are not written. */
  readonly functionVersion?: FunctionVersion | undefined;
  /** Of a function that lets Lambda write no line of an invocation. */
  readonly memory?: MemoryOfFunction | undefined;
};

type MemoryOfFunction = {
  readonly functionName: string;
  /** The peak of the process so far, in bytes. */
  readonly peak: () => number;
};

/**
 * Counts, measures and times, and writes the result as a log line in CloudWatch's embedded metric format: no call, and nothing to wait for.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function createMetrics({ write, now, environment, functionVersion, memory }: MetricsDeps): Metrics {
  const counts = new Map<CountName, number>();
  const measures = new Map<MeasureName, number>();
  const durations = new Map<DurationName, number[]>();
  const calls = new Map<CallCountName, Map<string, number>>();
  const ofVersion = new Map<VersionCountName, number>();
  let writtenPeak = 0;

  /** A line for each operation: a line has one value of each dimension. */
  function flushCalls(): void {
    for (const [Name, byOperation] of calls)
      for (const [operation, count] of byOperation) {
        const sets = [[environmentDimension], [environmentDimension, operationDimension]];
        writeLine([{ Name, Unit: 'Count' }], { [Name]: count }, { sets, values: { [operationDimension]: operation } });
      }
    calls.clear();
  }

  function flushOfVersion(): void {
    if (functionVersion !== undefined && ofVersion.size > 0) {
      const sets = [[environmentDimension, ...Object.keys(functionVersion)]];
      const names = [...ofVersion.keys()].map((Name) => ({ Name, Unit: 'Count' }));
      writeLine(names, Object.fromEntries(ofVersion), { sets, values: functionVersion });
    }
    ofVersion.clear();
  }

  function flushMemory(): void {
    const peak = memory?.peak() ?? 0;
    if (memory === undefined || peak < writtenPeak * memoryGrowth) return;
    writtenPeak = peak;
    writeLine(
      [{ Name: 'MemoryUsed' satisfies keyof typeof memoryMeanings, Unit: 'Megabytes' }],
      { MemoryUsed: Math.ceil(peak / 2 ** 20) },
      { sets: [[environmentDimension, 'FunctionName']], values: { FunctionName: memory.functionName } },
    );
  }

  function flush(): void {
    flushCalls();
    flushOfVersion();
    flushMemory();
    if (counts.size + measures.size + durations.size === 0) return;
    writeLine(
      [
        ...[...counts.keys()].map((Name) => ({ Name, Unit: 'Count' })),
        ...[...measures.keys()].map((Name) => ({ Name, Unit: units[Name] })),
        ...[...durations.keys()].map((Name) => ({ Name, Unit: 'Milliseconds' })),
      ],
      Object.fromEntries([...counts, ...measures, ...durations]),
    );
    counts.clear();
    measures.clear();
    durations.clear();
  }

  /** Not the measures, which may change yet: an alarm on a maximum would take a value of the middle of a run. */
  function flushDuration(name: DurationName, values: readonly number[]): void {
    writeLine([{ Name: name, Unit: 'Milliseconds' }], { [name]: values });
    durations.delete(name);
  }

  function writeLine(
    Metrics: readonly { readonly Name: string; readonly Unit: string }[],
    values: Readonly<Record<string, unknown>>,
    dimensions: Dimensions = { sets: [[environmentDimension]], values: {} },
  ): void {
    const CloudWatchMetrics = [{ Namespace: metricsNamespace, Dimensions: dimensions.sets, Metrics }];
    const _aws = { Timestamp: now().getTime(), CloudWatchMetrics };
    const ofAll = { [environmentDimension]: environment, ...dimensions.values };
    // A property and no dimension: a new release continues the metrics of the last one.
    write(`${JSON.stringify({ _aws, ...ofAll, version, ...values })}\n`);
  }

  return {
    flush,
    count: (name, more = 1) => {
      counts.set(name, (counts.get(name) ?? 0) + more);
    },
    countCall: (name, operation) => {
      const byOperation = calls.get(name) ?? new Map<string, number>();
      byOperation.set(operation, (byOperation.get(operation) ?? 0) + 1);
      calls.set(name, byOperation);
    },
    countOfVersion: (name) => {
      ofVersion.set(name, (ofVersion.get(name) ?? 0) + 1);
    },
    measure: (name, value) => {
      measures.set(name, value);
    },
    time: (name, milliseconds) => {
      const values = durations.get(name) ?? [];
      values.push(milliseconds);
      durations.set(name, values);
      if (values.length === maxValues) flushDuration(name, values);
    },
  };
}

/**
 * The metrics of a function that can be released in steps: those of the version that runs, and of its memory if `peakMemory` is given.
 *
 * @param deps `peakMemory` is the peak of the process so far, in bytes
 */
export function createVersionMetrics(
  environment: MetricsEnvironment & VersionEnvironment,
  { peakMemory, ...deps }: Pick<MetricsDeps, 'write' | 'now'> & { readonly peakMemory?: (() => number) | undefined },
): Metrics {
  const { ENVIRONMENT, AWS_LAMBDA_FUNCTION_NAME: functionName } = environment;
  const memory =
    functionName === undefined || peakMemory === undefined ? undefined : { functionName, peak: peakMemory };
  return createMetrics({
    ...deps,
    environment: ENVIRONMENT,
    functionVersion: publishedVersion(environment),
    memory,
  });
}
