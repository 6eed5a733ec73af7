import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { listen } from '#sandbox/net/server.ts';
import type { MeasureName } from '#shared/lambda/metrics.ts';
import { type AwsCallMoment, startAwsEndpoint } from './aws-endpoint.ts';
import { createAlarms } from './cloud-watch/alarms.ts';
import { measureServices } from './cloud-watch/measure-services.ts';
import { createMetricStore, type MetricStore } from './cloud-watch/metric-store.ts';
import { createApiPages } from './http-api/api-pages.ts';
import { type ApiExchange, createHttpApi } from './http-api/http-api.ts';
import { startEventSourceMappings } from './lambda/event-source-mapping.ts';
import { type FunctionHost, startFunctionHost } from './lambda/function-host.ts';
import { createLogStore } from './logs/log-store.ts';
import { accessLogLine, reportLine } from './logs/service-lines.ts';
import { createMoveClock, type StepClock } from './move-clock.ts';
import { createAuthorize } from './permissions/authorize.ts';
import { startCloudFormation } from './services/cloud-formation.ts';
import { startCloudWatch } from './services/cloud-watch.ts';
import { startCloudWatchLogs } from './services/cloud-watch-logs.ts';
import { createTables, startDynamoDb } from './services/dynamodb.ts';
import { startEventBridge } from './services/event-bridge.ts';
import type { EventContent } from './services/event-envelope.ts';
import { startLambda } from './services/lambda.ts';
import { addMessageMoves } from './services/message-moves.ts';
import { startScheduler } from './services/scheduler.ts';
import { type Schedules, startSchedules } from './services/schedules.ts';
import { startSecretsManager } from './services/secrets-manager.ts';
import { createQueues, startSqs } from './services/sqs.ts';
import { createTargets } from './services/targets.ts';
import { type Blueprint, readBlueprint } from './stacks/blueprint.ts';
import { readCloudAssembly, type SynthesizedStack } from './stacks/cloud-assembly.ts';
import { type Place, sandboxAccount, stackId } from './stacks/identity.ts';

export type HostOptions = {
  /** Where `cdk synth` wrote the cloud assembly. */
  readonly assembly: string;
  /** The port of the HTTP API; a free one unless given. */
  readonly apiPort?: number | undefined;
  /** Whether the HTTP API and the AWS APIs answer at the name by which containers call this machine. */
  readonly answersContainers?: boolean | undefined;
  /** In seconds: how soon a message comes back after its function failed. Without it, as late as on AWS. */
  readonly redeliveryDelay?: number | undefined;
  /**
   * In seconds: after a run that was cut, by its time limit or a crash, the failed messages of its queue come back so long after the limit of
   * the function. For so long a consumer of `createConsumer` holds the entities that the run has claimed: it is `clockSkewMs` there. Sooner,
   * messages could use up their deliveries. Without it, after `redeliveryDelay`.
   */
  readonly claimMargin?: number | undefined;
  /**
   * What time it is for the functions and all that they speak to; the real one unless given. Schedules and queues follow it. Time
   * limits of functions are real.
   */
  readonly now?: (() => Date) | undefined;
  /** For a measurement of memory: the process then keeps little of what the services store. */
  readonly storage?: {
    /** A directory for the rows of the tables, which is emptied first. By default they are in memory. */
    readonly tables: string;
    readonly maxLogLines: number;
    readonly maxArchivedEvents: number;
  };
  /** Each line that a function writes. */
  readonly onLog?: (functionName: string, line: string) => void;
  /** A moment of an AWS call of a function or of any other caller: to observe, delay or break the call. */
  readonly onAwsCall?: (moment: AwsCallMoment) => Promise<void> | void;
  /** Each answer of the HTTP API, with its request. */
  readonly onApiAnswer?: (exchange: ApiExchange) => void;
};

/** The stacks, running. */
export type Host = {
  readonly blueprint: Blueprint;
  readonly place: Place;
  readonly clients: {
    readonly dynamodb: DynamoDBClient;
    readonly sqs: SQSClient;
    readonly secretsManager: SecretsManagerClient;
  };
  readonly functions: FunctionHost;
  readonly schedules: Schedules;
  /** The metrics of the functions and the services. */
  readonly measured: {
    readonly ids: MetricStore['ids'];
    /** Forgets all values, except those of these metrics: what is measured from now on is what alarms see. */
    readonly forget: (except: readonly MeasureName[]) => void;
  };
  /** Whether the HTTP API answers. It does at first; while it does not, each connection breaks. */
  readonly setReachable: (isReachable: boolean) => void;
  /** Says that the stacks are deployed, as CloudFormation does: rules that wait for it start what they start. */
  readonly announceDeployment: () => void;
  /**
   * Lets time pass: schedules run and messages come, each when it is due and after all that was due before is done.
   *
   * @param stepClock moves the clock of the host by one step, in seconds
   */
  readonly advance: (seconds: number, stepClock: StepClock) => Promise<void>;
  /** Ends all that was started: processes, servers, timers. */
  readonly close: () => Promise<void>;
};

const region = 'eu-central-1';

/**
 * Hosts synthesized stacks: the functions in processes of their own, everything around them by emulators.
 *
 * @throws {SandboxError} NOT_HOSTED when the stacks have what the sandbox does not know
 */
export async function startHost({
  assembly,
  apiPort,
  answersContainers,
  redeliveryDelay,
  claimMargin,
  now = realNow,
  storage,
  onLog = () => undefined,
  onAwsCall,
  onApiAnswer,
}: HostOptions): Promise<Host> {
  const closers: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const stacks = readCloudAssembly(assembly);
    // Above the assembly is a package.json that says ES modules, on Lambda there is none: the bundles are CommonJS.
    writeFileSync(join(assembly, 'package.json'), '{"type":"commonjs"}');

    let happenings = 0;
    const onCall = async (moment: AwsCallMoment) => {
      if (moment.when === 'before' && moment.caller !== undefined && sends.has(moment.operation)) happenings += 1;
      await onAwsCall?.(moment);
    };
    const endpoint = await startAwsEndpoint({ onCall, now, answersContainers });
    closers.push(endpoint.close);
    let handleRequest: ReturnType<typeof createHttpApi> | undefined;
    let isReachable = true;
    const pageOf = createApiPages();
    const api = await listen(
      (request, response) => {
        const page = request.method === 'GET' ? pageOf(request.url ?? '') : undefined;
        if (!isReachable) request.socket.destroy();
        else if (page !== undefined) response.writeHead(200, page.headers).end(page.body);
        else handleRequest?.(request, response);
      },
      apiPort,
      answersContainers,
    );
    closers.push(api.close);
    const place: Place = { account: sandboxAccount, region, awsOrigin: endpoint.origin, apiOrigin: api.origin };
    const blueprint = readBlueprint(stacks, place);

    const configuration = {
      region,
      endpoint: endpoint.origin,
      credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' },
    };
    const clients = {
      dynamodb: new DynamoDBClient(configuration),
      sqs: new SQSClient(configuration),
      secretsManager: new SecretsManagerClient(configuration),
    };
    const logs = createLogStore({ now, maxLines: storage?.maxLogLines });
    const logGroupOf = (named: { readonly name: string } | { readonly physicalName: string }) =>
      blueprint.functions.find((one) =>
        'name' in named ? one.name === named.name : one.physicalName === named.physicalName,
      )?.properties.LoggingConfig.LogGroup ?? '';
    const metrics = createMetricStore();
    let metricsSince = now();
    const measurements = measureServices(blueprint, { metrics, now });
    const functions = await startFunctionHost(blueprint.functions, {
      place,
      assetDirectory: assetFinder(stacks),
      newId: randomUUID,
      clockAhead: () => (now === realNow ? 0 : now().getTime() - Date.now()),
      onLog: (name, line) => {
        measurements.onLog(line);
        logs.add(logGroupOf({ name }), line);
        onLog(name, line);
      },
      onInvoked: (invoked) => {
        measurements.onInvoked(invoked);
        logs.add(logGroupOf({ physicalName: invoked.functionName }), reportLine(invoked, now()));
      },
      onRecursion: (recursion) => {
        measurements.onRecursion(recursion);
        const { name, source, chain } = recursion;
        // Lambda writes nothing to the log of the function.
        onLog(name, JSON.stringify({ level: 'WARN', message: 'recursive invocation stopped', source, chain }));
      },
    });
    closers.push(functions.close);
    const targets = createTargets(blueprint, { sqs: clients.sqs, functions, place });
    const queueDeps = { sqs: clients.sqs, now, newId: randomUUID };
    const polled = polledQueues(blueprint);
    const sqsService = await startSqs({ region, polled, now });
    const services = {
      dynamodb: startDynamoDb(storage?.tables),
      sqs: addMessageMoves(sqsService, blueprint.queues, queueDeps),
      secretsManager: startSecretsManager(blueprint.secrets, { newId: randomUUID, randomText, now }),
      lambda: startLambda(functions, blueprint),
      scheduler: startScheduler(blueprint, { deployedOn: now() }),
      cloudFormation: startCloudFormation(blueprint, { deployedOn: now() }),
      cloudWatch: startCloudWatch(metrics, createAlarms(blueprint, { metrics, now, metricsSince: () => metricsSince })),
      logs: startCloudWatchLogs(blueprint, { store: logs, account: place.account, newId: randomUUID }),
      eventBridge: startEventBridge(blueprint, {
        ...{ place, targets, newId: randomUUID, now },
        onMatched: measurements.onMatched,
        maxArchivedEvents: storage?.maxArchivedEvents,
      }),
    };
    closers.push(...Object.values(services).map((service) => service.close));
    endpoint.serve(services, createAuthorize(blueprint));
    await createTables(blueprint.tables, clients.dynamodb);
    await createQueues(blueprint.queues, clients.sqs);
    const { oldestMessageAge, clock: queueClock } = sqsService;
    closers.push(measurements.watchQueues(blueprint.queues, { client: clients.sqs, oldestMessageAge }));

    handleRequest = createHttpApi(blueprint, {
      functions,
      newId: randomUUID,
      now,
      elapsed: () => performance.now(),
      onAnswer: (exchange) => {
        happenings += 1;
        measurements.onAnswered(exchange.answer.status);
        onApiAnswer?.(exchange);
      },
      onAccess: (context) => {
        for (const { properties } of blueprint.stages) {
          const { DestinationArn, Format = '' } = properties.AccessLogSettings ?? {};
          const group = blueprint.logGroups.find(({ arn }) => arn === DestinationArn);
          if (group !== undefined) logs.add(group.ref, accessLogLine(Format, context));
        }
      },
    });
    const { sqs } = clients;
    const closing = new AbortController();
    let advances = 0;
    /** By queue, in milliseconds: until when a run that was cut can hold what it has claimed. */
    const heldUntil = new Map<string, number>();
    const delayOf = (queueName: string) => {
      const held = ((heldUntil.get(queueName) ?? 0) - now().getTime()) / 1_000;
      return redeliveryDelay === undefined ? undefined : Math.max(redeliveryDelay, Math.ceil(held));
    };
    closers.push(
      startEventSourceMappings(blueprint, {
        sqs,
        functions,
        place,
        // While the clock is advanced, the visibility timeout passes at once.
        redeliveryDelay: (queueName) => (advances > 0 ? undefined : delayOf(queueName)),
        onCut: (queueName, timeoutSeconds) => {
          if (claimMargin !== undefined)
            heldUntil.set(queueName, now().getTime() + (timeoutSeconds + claimMargin) * 1_000);
        },
        onReleased: queueClock.onReleased,
        now: realNow,
      }),
    );
    const schedules = startSchedules(blueprint, { place, targets, newId: randomUUID, now });
    const isIdle = () => functions.isIdle() && targets.isIdle() && queueClock.work().isIdle;
    const moveClock = createMoveClock({
      now,
      schedules,
      queueClock,
      isIdle,
      happenings: () => happenings,
      signal: closing.signal,
    });
    const advanceClock: Host['advance'] = async (seconds, stepClock) => {
      advances += 1;
      await moveClock(seconds, stepClock).finally(() => {
        advances -= 1;
      });
      await queueClock.redeliver(delayOf);
    };
    // The functions end first, here too, so that no caller waits for one of them any longer.
    closers.push(schedules.close, functions.close, () => closing.abort());
    const announceDeployment = () => {
      for (const { name } of stacks) services.eventBridge.publish(createdEvent(name, place, now()));
    };
    const setReachable = (isReachableNow: boolean) => {
      isReachable = isReachableNow;
    };
    const forgetMetrics = (except: readonly MeasureName[]) => {
      metrics.clear(except);
      metricsSince = now();
    };
    const measured = { ids: metrics.ids, forget: forgetMetrics };
    return {
      blueprint,
      place,
      clients,
      functions,
      schedules,
      measured,
      setReachable,
      announceDeployment,
      advance: advanceClock,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const realNow = () => new Date();

/** The operations by which a function has others do something. */
const sends: ReadonlySet<string> = new Set(['SendMessage', 'SendMessageBatch', 'PutEvents', 'Invoke']);

/** The names of the queues whose messages functions get. */
function polledQueues({ eventSourceMappings, queues }: Blueprint): ReadonlySet<string> {
  const sources = eventSourceMappings.filter(({ properties }) => properties.Enabled);
  const polled = queues.filter(({ arn }) => sources.some(({ properties }) => properties.EventSourceArn === arn));
  return new Set(polled.map(({ physicalName }) => physicalName));
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/event-detail-stack-status-change.html */
function createdEvent(stackName: string, place: Place, time: Date): EventContent {
  const id = stackId(stackName, place);
  return {
    detailType: 'CloudFormation Stack Status Change',
    source: 'aws.cloudformation',
    time,
    resources: [id],
    detail: { 'stack-id': id, 'status-details': { status: 'CREATE_COMPLETE', 'status-reason': '' } },
  };
}

function assetFinder(stacks: readonly SynthesizedStack[]): (s3Key: string) => string | undefined {
  return (s3Key) => {
    const hash = s3Key.replace(/\.zip$/, '');
    return stacks.map(({ assets }) => assets.get(hash)).find((directory) => directory !== undefined);
  };
}

/** Letters and digits, as Secrets Manager generates them without punctuation. */
function randomText(length: number): string {
  return randomBytes(length * 2)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, length);
}
