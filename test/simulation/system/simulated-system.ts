import { AsyncLocalStorage } from 'node:async_hooks';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { createRandom } from '#sandbox/platform/core/random.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import { batchSizes, type FunctionName } from '#test/simulation/declared.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Call, IoBehaviour } from '#test/simulation/faults/io-behaviour.ts';
import type { LongFailure } from '#test/simulation/faults/long-failure.ts';
import { seedOf } from '#test/simulation/faults/seed.ts';
import { buildHandler } from '#test/simulation/functions/build-handler.ts';
import type { SimulatedEnvironment } from '#test/simulation/functions/simulated-environment.ts';
import { checkCheckpoint } from '#test/simulation/promises/checkpoints.ts';
import { checkErasure } from '#test/simulation/promises/erasures.ts';
import { createHandOverWatch } from '#test/simulation/promises/hand-overs.ts';
import { createLeaseWatch } from '#test/simulation/promises/leases.ts';
import { createMarkOrder } from '#test/simulation/promises/mark-order.ts';
import type { BrokenPromise } from '#test/simulation/promises/promise.ts';
import { createSecretReadWatch } from '#test/simulation/promises/secret-reads.ts';
import type { Judged } from '#test/simulation/promises/tally.ts';
import { createProcess, type SimulatedProcess } from '#test/simulation/scheduler/process.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';
import { virtualTimeout, virtualWait } from '#test/simulation/scheduler/virtual-timers.ts';
import type { OnboardingPlan } from '#test/simulation/workload/plan-onboardings.ts';
import { createCloud } from './cloud.ts';
import { createEventSourceMapping } from './event-source-mapping.ts';
import { createGateway, type ReceivedWebhook } from './gateway.ts';
import { createLambdaFunction, type Environment, type LambdaFunction } from './lambda-function.ts';
import { createLineage, maxInvocations } from './lineage.ts';
import { endLosses, findPersonId, prepareOnboardings, reportAgain, startPersonSteps } from './onboarding-persons.ts';
import { createPartner } from './partner.ts';
import { type PlatformApp, simulatedProfile } from './platform-app.ts';
import { createPlatformFetch } from './platform-fetch.ts';
import { createRequestLog } from './request-log.ts';
import { createRequestRule } from './request-rule.ts';
import { startSchedules } from './schedules.ts';
import { createSimulatedPlatform, credentials, type SimulatedPlatform } from './simulated-platform.ts';
import { maxSkewMs } from './skew.ts';

/** Receives everything that the promises check, at the moment at which it happens. */
export type Observer = {
  readonly received: (webhook: ReceivedWebhook) => void;
  /** The platform created a verification. The argument has all verifications of the person. */
  readonly verifying: Parameters<typeof createSimulatedPlatform>[1]['onVerification'];
  readonly marking: Parameters<typeof createSimulatedPlatform>[1]['onMark'];
  /** A process calls the platform with this token. */
  readonly called: (process: SimulatedProcess, token: string) => void;
  /** A run of reconcile sends this command. @param mode the mode of the run */
  readonly reconciling: (command: Command, mode: string) => void;
  /** A check found a broken promise. */
  readonly foundBroken: (broken: BrokenPromise) => void;
  readonly logged: (process: SimulatedProcess, line: string) => void;
  readonly failed: (error: unknown) => void;
};

export type SimulatedSystemDeps = {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly app: PlatformApp;
  readonly plan: OnboardingPlan;
  /** The part of the platform, or the service of AWS, that fails for hours, if any. */
  readonly longFailure: LongFailure | undefined;
  readonly observer: Observer;
  /** Counts what is held against each promise. */
  readonly judged: Judged;
  /** Receives each step for the trace. */
  readonly trace: (who: string, what: string) => void;
};

export type SimulatedSystem = ReturnType<typeof createSimulatedSystem>;

const webhooksUrl = 'https://partner.example/webhooks';

/** In milliseconds: the maximum duration of an AWS I/O, with all attempts of the SDK. */
const maxWaitMs = 9_000;

const commonEnvironment: Omit<SimulatedEnvironment, 'onboarding'> = {
  PLATFORM_BASE_URL: 'https://platform.example',
  PLATFORM_PROFILE: simulatedProfile,
  PLATFORM_TOKEN_SECRET_ID: 'platform-token',
  TOKEN_REFRESHES_QUEUE_URL: 'token-refreshes',
  authUrl: 'https://platform.example',
  webhooksUrl,
  secretHeader: 'X-Webhook-Secret',
  retentionDays: 90,
  rotation: { interval: 90 * 86_400_000, overlap: 10 * 60_000 },
  reportedKinds: [],
  // Shorter than in the stacks, because a history would otherwise last for days.
  reconciliation: {
    // So slow that a walk has several checkpoints.
    callsPerSecond: 0.2,
    grace: 2 * 60_000,
    readBackAfter: 3 * 60_000,
    staleAfter: 168 * 3_600_000,
    // Every other run.
    listEvery: 50 * 60_000,
    requestor: 'self',
  },
};

/** The queue of each function. */
const queueOf = {
  store: 'webhooks',
  'request-event': 'requests',
  refresh: 'token-refreshes',
  advance: 'onboarding',
} as const;

const pick = <Item>(items: readonly Item[], random: () => number) => items[Math.floor(random() * items.length)];

/** The simulated system: the functions, the AWS services, the platform, and the connections between them. */
export function createSimulatedSystem({
  seed,
  scheduler,
  faults,
  app,
  plan,
  longFailure,
  observer,
  judged,
  trace,
}: SimulatedSystemDeps) {
  const startedAt = scheduler.now();
  const requests = createRequestLog(scheduler);
  // The name of a stream is part of its seed: another name would change every history.
  const random = createRandom(seedOf(seed, 'world'));
  let ids = 0;
  let isReconciling = false;
  let faultsEndedAt = Number.POSITIVE_INFINITY;
  let schedules: ReturnType<typeof startSchedules> | undefined;
  /** The mode of the current run of reconcile. */
  const runs = new AsyncLocalStorage<string>();
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };
  const newSecret = () => `CANARY-secret-${newId()}`.padEnd(64, '.');
  const tokenLifetime = pick([1_500, 1_800, 3_600, 7_200], random) ?? 3_600;

  const reportIfBroken = (broken: BrokenPromise | undefined) => {
    if (broken !== undefined) observer.foundBroken(broken);
  };
  const lineage = createLineage();
  const watchLease = createLeaseWatch();
  let wakeAll: () => void = () => undefined;
  const cloud = createCloud({
    scheduler,
    faults,
    random,
    newId,
    secrets: {
      'webhook-secret': JSON.stringify({ current: newSecret() }),
      'platform-token': '{}',
      'platform-credentials': JSON.stringify(credentials),
    },
    onQueueChange: () => wakeAll(),
    onCheckpoint: (before, after) => {
      judged(after['job']?.S === 'drain' ? 5 : 10);
      reportIfBroken(checkCheckpoint(before, after));
    },
    onErasure: (before) => {
      judged(8);
      reportIfBroken(checkErasure(before));
    },
    onSent: lineage.sent,
    onCommand: (process, command) => {
      const { caller } = process;
      if (caller === 'drain' && command instanceof SendMessageBatchCommand) judged(2, command.input.Entries?.length);
      if (caller === 'wake') reportIfBroken(watchLease(command, process.now().getTime()));
      if (caller === 'drain') reportIfBroken(handOvers.watch(process, command));
      if (caller === 'reconcile') observer.reconciling(command, runs.getStore() ?? '');
      if (isWebhookSecretRead(process, command)) {
        judged(9);
        const repeated = secretReads.begin(process, command);
        if (repeated !== undefined) observer.foundBroken(repeated);
      }
    },
    onFailure: (process, command) => {
      if (isWebhookSecretRead(process, command)) secretReads.failed(process, command);
    },
  });
  const secretReads = createSecretReadWatch(scheduler.now);

  const handOvers = createHandOverWatch((eventId) => cloud.dynamodb.table('events').get({ eventId: { S: eventId } }));
  const markOrder = createMarkOrder(() => platform.core.undelivered.all());

  const onInvoke = (process: SimulatedProcess, event: unknown) => {
    const { Records = [] } = event as { readonly Records?: readonly { readonly messageId: string }[] };
    lineage.begin(
      process,
      Records.map(({ messageId }) => messageId),
    );
  };
  const lambdas = new Map<FunctionName, LambdaFunction>();
  const lambda = (name: FunctionName): LambdaFunction => {
    const known = lambdas.get(name);
    if (known !== undefined) return known;
    const created = createLambdaFunction(name, { scheduler, faults, trace, start: () => start(name), onInvoke });
    lambdas.set(name, created);
    return created;
  };

  let slowUntil = 0;
  let refusedMarks = 0;

  /** The behaviour of an I/O. While AWS is slow, each AWS response is delayed within the deadline of the SDK. */
  function behaviourOf(call: Call): IoBehaviour {
    if (isFailing(call)) {
      faults.observe('call during a failure for hours');
      return longFailure?.behaviour ?? {};
    }
    const behaviour = faults.behaviourOf(call);
    const isSlow = scheduler.now() < slowUntil && call.service !== 'platform' && call.service !== 'token-service';
    return isSlow ? { delay: random() * maxWaitMs, ...behaviour } : behaviour;
  }

  function isFailing(call: Call): boolean {
    if (longFailure === undefined) return false;
    const time = scheduler.now() - startedAt;
    return time >= longFailure.from && time < longFailure.until && longFailure.matches(call);
  }

  /** Whether every call to a service of AWS fails now. */
  const isDown = (service: Call['service']) => isFailing({ service, operation: '', caller: 'AWS' });

  /** Starts a process and loads the function in it. */
  function start(caller: FunctionName): Environment {
    const skew = faults.happens('clock skew') ? (faults.draw('clock skew') * 2 - 1) * maxSkewMs : 0;
    const name = `${caller} (${newId()})`;
    const process = createProcess({ name, caller, skew }, { scheduler, random, behaviourOf, trace });
    const write = (line: string) => {
      refusedMarks = refusedMarksIn(line) ?? refusedMarks;
      observer.logged(process, line);
    };
    const { now } = process;
    const deps = {
      ...cloud.clientsOf(process),
      fetch: createPlatformFetch(process, {
        platform,
        faults,
        scheduler,
        onCall: (token) => observer.called(process, token),
        requests,
        onMark: (id) => {
          judged(5);
          reportIfBroken(markOrder.begin(id));
          return { answered: (status) => markOrder.answered(id, status) };
        },
      }),
      now,
      random,
      wait: (milliseconds: number, signal?: AbortSignal) => virtualWait(scheduler, milliseconds, signal),
      timeout: (milliseconds: number) => virtualTimeout(scheduler, milliseconds),
      newSecret,
      newSalt: () => random().toString(16),
      write,
      // So that lists have several pages.
      pageSize: 1,
    };
    const handler = buildHandler(caller, deps, environment);
    if (caller !== 'reconcile') return { process, handler };
    return { process, handler: (event, context) => runs.run(modeOf(event), () => handler(event, context)) };
  }

  const gateway = createGateway({ scheduler, faults, receive: lambda('receive'), newId, onAnswer: observer.received });
  const platform: SimulatedPlatform = createSimulatedPlatform(
    {
      seed: seedOf(seed, 'platform'),
      tokenLifetime,
      undeliveredOrder: pick(['ASCENDING', 'DESCENDING', 'SHUFFLED'], random) ?? '',
      undeliveredCursor: pick(['KEYSET', 'OFFSET', 'SNAPSHOT'], random) ?? '',
    },
    {
      app,
      scheduler,
      faults,
      gateway,
      webhooksUrl,
      onMark: observer.marking,
      onVerification: observer.verifying,
      onEndlessWalk: () => observer.foundBroken({ promise: 9, what: 'A walk continues although its cursor repeats.' }),
      onError: observer.failed,
    },
  );
  const onboarding = prepareOnboardings(platform.core, plan);
  const reconciliation = { ...commonEnvironment.reconciliation, requestor: onboarding.requestor };
  let environment: SimulatedEnvironment = { ...commonEnvironment, onboarding, reconciliation };
  const report = (externalId: string) =>
    scheduler.runAs(platform.owner, () => reportAgain(platform.core, externalId, newId()));
  const partner = createPartner({
    scheduler,
    faults,
    random,
    cloud,
    isDown,
    onEvent: createRequestRule({ scheduler, random, cloud, isDown, trace, wake: () => wakeAll() }),
    lambda,
    newId,
    trace,
    findPersonId: (id) => findPersonId(platform.core, id),
    report,
  });

  const mappings = (['store', 'request-event', 'refresh', 'advance'] as const).map((name) =>
    createEventSourceMapping(
      {
        name: `queue of ${name}`,
        queue: cloud.sqs.queue(queueOf[name]),
        lambda: lambda(name),
        batchSize: batchSizes[name],
        concurrency: 2,
      },
      {
        scheduler,
        faults,
        random,
        isDown,
        trace,
        isDropped: (messageId) => {
          if (!lineage.isLoop(messageId)) return false;
          const what = `Lambda drops a message after ${maxInvocations} invocations in its chain: ${name} is in a cycle.`;
          observer.foundBroken({ promise: 9, what });
          return true;
        },
      },
    ),
  );
  wakeAll = () => {
    for (const mapping of mappings) mapping.wake();
  };

  function startReconciling(): void {
    isReconciling = true;
    schedules?.startReconciling();
  }

  return {
    seed,
    scheduler,
    faults,
    random,
    trace,
    judged,
    newId,
    newSecret,
    tokenLifetime,
    /** The configuration of new processes. */
    get environment() {
      return environment;
    },
    plan,
    longFailure,
    partner,
    /** Makes the platform report about a person of an onboarding again. */
    report,
    cloud,
    gateway,
    platform,
    lambda,
    /** The requests of onboardings to the platform. */
    requests,
    /** Makes AWS slow until this time, in milliseconds since 1970. */
    slowDown: (until: number) => {
      slowUntil = until;
    },
    /** Deploys a release: later invocations use the new configuration. */
    configure: (change: Partial<SimulatedEnvironment>) => {
      environment = { ...environment, ...change };
      for (const one of lambdas.values()) one.configure();
    },
    reportBroken: observer.foundBroken,
    /** Whether a process can use its cached webhook secret because Secrets Manager fails. */
    isSecretsManagerFailing: secretReads.isOutage,
    /** The number of consecutive runs with a refused mark, as the drain measures it. */
    refusedMarks: () => refusedMarks,
    startReconciling,
    isReconciling: () => isReconciling,
    /** Ends all faults. */
    endFaults: () => {
      faults.end();
      endLosses(platform.core);
      faultsEndedAt = scheduler.now();
    },
    /** In milliseconds since 1970. */
    faultsEndedAt: () => faultsEndedAt,
    /** Starts the schedules. */
    startSchedules: () => {
      schedules = startSchedules({ scheduler, faults, random, cloud, lambda, newId, isDown, wake: wakeAll });
      if (plan.persons.length === 0) return;
      startReconciling();
      schedules.startWaking();
    },
    /** Starts the steps of the platform and of the persons in onboardings. */
    startPersonSteps: () => startPersonSteps({ scheduler, faults, random, platform, plan, partner }),
  };
}

/** The metric of refused marks in a log line of the drain; undefined without the metric. */
function refusedMarksIn(line: string): number | undefined {
  const [, runs] = /"UndeliveredMarksRefused":(\d+)/.exec(line) ?? [];
  return runs === undefined ? undefined : Number(runs);
}

function isWebhookSecretRead({ caller }: SimulatedProcess, command: Command): boolean {
  return caller === 'receive' && command instanceof GetSecretValueCommand;
}

function modeOf(event: unknown): string {
  return (event as { readonly mode: string }).mode;
}
