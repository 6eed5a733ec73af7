import { Duration, Fn, Stack, Validations } from 'aws-cdk-lib';
import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Onboarding } from '#infra/onboarding/onboarding.ts';
import {
  type AlarmDeclarations,
  callsPeriod,
  failingCalls,
  oldestMessage,
  ownMetric,
  visibleMessages,
} from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import type { RouteOwner } from '#infra/parts/http-routes.ts';
import { createAccessLogs, createStage } from '#infra/parts/http-stage.ts';
import { addOutput } from '#infra/parts/output.ts';
import type { PlatformAccess } from '#infra/parts/platform-access.ts';
import {
  countAllMessages,
  readErrors,
  readFailedMessages,
  redrive,
  showDeadLetters,
} from '#infra/parts/runbook-commands.ts';
import type { WorkQueue } from '#infra/parts/work-queue.ts';
import type { Settings } from '#infra/settings.ts';
import { maxQueueAgeSeconds } from '#shared/max-queue-age.ts';
import { Query } from './query.ts';
import { Receive } from './receive.ts';
import { Register } from './register.ts';
import { Replay } from './replay.ts';
import { Store } from './store.ts';
import { WebhookDomain } from './webhook-domain.ts';

export type WebhookIngestProps = CapabilityProps & {
  readonly platformAccess: PlatformAccess;
  /** Is woken by what `store` learns, and answers on the same API. */
  readonly onboarding: Onboarding;
};

/**
 * Receives webhooks: HTTP API → receive → queue → store → events, entities, bus. Registers them on the platform. Answers
 * queries and onboardings on the same API, or on another one if the webhooks have a domain.
 */
export class WebhookIngest extends Construct {
  /** Has the routes of the partner's own systems, and the webhook route unless `webhookDomain` is set. */
  readonly api: HttpApi;
  /** Has the webhook route. */
  readonly webhooksApi: HttpApi;
  /** Of the data stack: a webhook that was answered 200 is there, and nowhere else until it is stored. */
  readonly queue: WorkQueue;
  readonly receive: Receive;
  readonly store: Store;
  readonly query: Query;
  /** Where the platform delivers each event type: at this URL, followed by `/` and the event type. */
  readonly webhooksUrl: string;
  /** Of all APIs. */
  readonly accessLogs: LogGroup;

  constructor(scope: Construct, id: string, props: WebhookIngestProps) {
    super(scope, id);
    const { settings, data, alarms, onboarding } = props;
    this.queue = data.webhooks;
    this.receive = new Receive(this, 'Receive', { ...props, queue: this.queue });
    this.store = new Store(this, 'Store', { ...props, queue: this.queue });
    this.query = new Query(this, 'Query', props);
    const path = randomPath(this, settings);
    this.api = new HttpApi(this, 'Api', { description: describeApi(settings), createDefaultStage: false });
    const domain = settings.webhookDomain && new WebhookDomain(this, 'WebhookDomain', settings.webhookDomain);
    this.webhooksApi = domain?.api ?? this.api;
    this.#addWebhooksRoute(`/webhooks/${path}/{eventType}`);
    this.accessLogs = createAccessLogs(this, props);
    this.#answer(props, [this.query, onboarding], domain);
    this.webhooksUrl = `${settings.webhooksUrl ?? `${domain?.url ?? this.api.apiEndpoint}/webhooks`}/${path}`;
    new Register(this, 'Register', { ...props, webhooksUrl: this.webhooksUrl });
    new Replay(this, 'Replay', { ...props, queue: this.queue });
    alarms.add(alarmsOf(this, onboarding));
    this.#addOutputs();
  }

  #addWebhooksRoute(path: string): void {
    const id = 'ReceiveIntegration';
    const route = new HttpRoute(this.webhooksApi, 'WebhooksRoute', {
      httpApi: this.webhooksApi,
      routeKey: HttpRouteKey.with(path, HttpMethod.POST),
      integration: new HttpLambdaIntegration(id, this.receive.invoked),
    });
    // Where `rollout` changes, the API is allowed to invoke the alias, or the function, before it does.
    route.node.findChild(id).node.addDependency(route.node.findChild(`${id}-Permission`));
    Validations.of(route).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'The platform signs nothing and takes no token: its registered secret header is checked by receive.',
    });
  }

  /** The other routes, and the stages, each of which needs all routes of its API. */
  #answer(props: WebhookIngestProps, owners: readonly RouteOwner[], domain: WebhookDomain | undefined): void {
    const { webhookThrottle, queryThrottle } = props.settings;
    for (const owner of owners) owner.addRoutes(this.api);
    const throttles = new Map(owners.flatMap((owner) => [...owner.throttles]));
    const { accessLogs } = this;
    // Each route of the partner has a throttle of its own: that of the stage is for the webhook route if it is here.
    createStage(this, this.api, { accessLogs, throttle: domain ? queryThrottle : webhookThrottle, throttles });
    domain?.serve(createStage(domain, domain.api, { accessLogs, throttle: webhookThrottle }));
  }

  #addOutputs(): void {
    addOutput(
      this,
      'WebhooksUrl',
      'Where the platform delivers each event type: at this URL, followed by / and the event type',
      this.webhooksUrl,
    );
    addOutput(
      this,
      'ApiUrl',
      'Where your own systems have persons onboarded (/onboardings), and look up what is known (/entities/{kind}/{id}, /events/{eventId})',
      this.api.apiEndpoint,
    );
  }
}

function describeApi({ webhookDomain }: Settings): string {
  const requests = 'the partner asks for onboardings and looks up what is known';
  return webhookDomain === undefined ? `Where the platform delivers webhooks, and ${requests}` : `Where ${requests}`;
}

/**
 * A random part of the path. API Gateway answers 404 to callers that do not know it, without using the throttle of the
 * route or `receive`. It is not a secret: the header authenticates deliveries.
 */
function randomPath(scope: Construct, { webhookPathKey }: Settings): string {
  const uuid = Fn.select(2, Fn.split('/', Stack.of(scope).stackId));
  return webhookPathKey === undefined ? uuid : `${uuid}-${webhookPathKey}`;
}

/** How fast webhooks are to reach the bus, in 30 days. At the burn rate an hour uses up 2% of what may be late in these. */
const serviceLevel = { objective: Duration.minutes(1), latePercent: 1, burnRate: 14.4 };

const burntPercent = serviceLevel.latePercent * serviceLevel.burnRate;

function alarmsOf(
  { api, webhooksApi, queue, receive, store, query }: WebhookIngest,
  onboarding: Onboarding,
): AlarmDeclarations {
  return {
    WebhooksDlq: {
      metric: visibleMessages(queue.deadLetters),
      above: 0,
      hasEnd: true,
      part: 'webhooks',
      meaning: `Store failed to store webhooks ${queue.maxReceiveCount} times, over about ${queue.retriedFor.toHours()} hours. The platform got 200 and does not send them again. The queue keeps them until ${queue.deadLetters.retentionPeriod.toDays()} days after their receipt.`,
      remedy: 'Read the errors of Store and fix their cause. Then redrive the dead-letter queue to the webhooks queue.',
      commands: [showDeadLetters(queue.deadLetters), ...readErrors(store), readFailedMessages, redrive(queue)],
    },
    WebhooksLate: {
      metric: oldestMessage(queue),
      above: maxQueueAgeSeconds.Webhooks,
      periods: 3,
      hasEnd: true,
      part: 'webhooks',
      meaning: `Webhooks wait to be stored. Those that Store fails on are in MessagesFailedRepeatedly. The queue keeps them for ${queue.retentionPeriod.toDays()} days.`,
      remedy:
        'Read the errors of Store, and check its throttles in CloudWatch. If Store has neither, raise the setting storeConcurrency and deploy.',
      commands: [countAllMessages, ...readErrors(store)],
    },
    ServiceLevelBurns: {
      // Above the objective in this percentile, more than the tolerated share of an hour is late.
      metric: ownMetric(store, 'ReceiptToBusDuration', {
        period: Duration.hours(1),
        statistic: `p${100 - burntPercent}`,
      }),
      above: serviceLevel.objective.toMilliseconds(),
      ignoresFewValues: true,
      isSparse: true,
      hasEnd: true,
      part: 'store',
      meaning: `More than ${burntPercent}% of the webhooks of the last hour took over ${serviceLevel.objective.toSeconds()} seconds from their receipt to the bus: at this rate the ${serviceLevel.latePercent}% that may be late in 30 days are used up within ${Math.round(30 / serviceLevel.burnRate)} days. Nothing is lost. With fewer than 70 webhooks an hour the alarm stays off: WebhooksLate is for these.`,
      remedy:
        'Read the errors of Store, and check its throttles and durations in CloudWatch. If Store has neither, raise the setting storeConcurrency and deploy.',
      commands: [countAllMessages, ...readErrors(store)],
    },
    WebhooksRefusedByUs: {
      metric: serverErrorsOf(webhooksApi, api),
      ...failingCalls,
      part: 'receive',
      meaning:
        'The API answers 5xx to the platform or to your own systems. The platform keeps webhooks that got 5xx as undelivered, and Drain stores them later.',
      remedy:
        'Read the errors of Receive: most likely SQS or Secrets Manager refuses calls. If there are none, read those of the other functions behind the API.',
      commands: readErrors(receive, query, onboarding.api, onboarding.updatePerson, onboarding.erasePerson),
    },
  };
}

/** The 5xx answers of both APIs, which are one API unless the webhooks have a domain. */
function serverErrorsOf(webhooksApi: HttpApi, api: HttpApi): IMetric {
  const period = callsPeriod;
  const webhooks = webhooksApi.metricServerError({ period, statistic: 'Sum' });
  if (webhooksApi === api) return webhooks;
  const others = api.metricServerError({ period, statistic: 'Sum' });
  // Unlike `+`, SUM has a value also while one of the APIs has no request, and so no metric.
  return new MathExpression({ expression: 'SUM([webhooks, others])', usingMetrics: { webhooks, others }, period });
}
