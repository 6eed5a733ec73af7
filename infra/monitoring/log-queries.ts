import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import type { WebhookIngest } from '#infra/webhook-ingest/webhook-ingest.ts';
import { operatorActions } from '#shared/operator-actions.ts';

/** A query of CloudWatch Logs Insights that the stack saves. */
export type LogQuery = {
  /** In kebab-case, below the name of the environment. */
  readonly name: string;
  /** What it shows, as a phrase. */
  readonly shows: string;
  /** What the operator replaces in the text. */
  readonly replace?: readonly string[];
  /** One of them: the access log is of another class, and no document says that a query reads both classes. */
  readonly of: 'functions' | 'access log';
  /** One command of the query language a line. */
  readonly query: readonly string[];
};

/** The saved queries, which `drawbridge logs` lists. */
export const logQueries: readonly LogQuery[] = [
  {
    name: 'errors-by-function',
    shows: 'the errors and exceeded time limits of each function, most frequent first',
    of: 'functions',
    query: [
      'filter level = "ERROR" or record.status = "timeout"',
      'stats count(*) as errors, max(@timestamp) as last by @log, message, error.name',
      'sort errors desc',
    ],
  },
  {
    name: 'one-event',
    shows:
      'the way of one event from the queue to the bus. The first result has the deliveryId, which is the REQUEST_ID of one-delivery',
    replace: ['EVENT_ID', 'REQUEST_ID'],
    of: 'functions',
    query: [
      'fields @timestamp, @log, message, eventId, deliveryId, onboardingId, outcome, reason',
      'filter eventId = "EVENT_ID" or deliveryId = "REQUEST_ID"',
      'sort @timestamp asc',
    ],
  },
  {
    name: 'one-delivery',
    shows: 'when and from where one delivery came, and what the API answered',
    replace: ['REQUEST_ID'],
    of: 'access log',
    query: [
      'fields @timestamp, @log, requestId, routeKey, status, sourceIp, responseLatency, integrationError',
      'filter requestId = "REQUEST_ID"',
      'sort @timestamp asc',
    ],
  },
  {
    name: 'one-onboarding',
    shows: 'each step of one onboarding, and the events that woke it',
    replace: ['ONBOARDING_ID'],
    of: 'functions',
    query: [
      'fields @timestamp, @log, message, step, reason, eventId, error.name',
      'filter onboardingId = "ONBOARDING_ID"',
      'sort @timestamp asc',
    ],
  },
  {
    name: 'events-by-outcome',
    shows: 'how many events were stored, delivered again, or repeated by SQS',
    of: 'functions',
    query: ['filter message = "event applied"', 'stats count(*) as events by outcome, bin(5m)'],
  },
  {
    name: 'quarantined-events',
    shows: 'how many events are in quarantine, by reason',
    of: 'functions',
    query: [
      'filter message = "event quarantined"',
      'stats count(*) as events, max(@timestamp) as last by reason',
      'sort events desc',
    ],
  },
  {
    name: 'failed-messages',
    shows: 'the queue messages that failed, with the ids that lead on',
    of: 'functions',
    query: [
      'fields @timestamp, @log, message, messageId, receives, eventId, deliveryId, onboardingId, error.name, error.message',
      'filter message in ["message failed", "message timed out"]',
      'sort @timestamp desc',
      'limit 200',
    ],
  },
  {
    name: 'operator-actions',
    shows: 'who read personal data or changed the deployment. CloudTrail says who used an access key',
    of: 'functions',
    query: [
      'fields @timestamp, message, accessKeyId, onboardingId, naturalPersonIds, eventId, eventIds, queue, messageIds, rules, takeOver, remove, size, reason',
      `filter message in [${operatorActions.map((message) => `"${message}"`).join(', ')}]`,
      'sort @timestamp desc',
    ],
  },
  {
    name: 'rejected-deliveries',
    shows: 'the deliveries that got 4xx or 5xx, by status and address',
    of: 'access log',
    query: [
      'filter routeKey like /webhooks/ and status like /^[45]/',
      'stats count(*) as requests, max(@timestamp) as last by status, sourceIp',
      'sort requests desc',
    ],
  },
  {
    name: 'rejections-by-reason',
    shows: 'why receive rejected deliveries before it read them',
    of: 'functions',
    query: ['filter message = "webhooks rejected"', 'stats sum(`count`) as rejected by reason, bin(5m)'],
  },
  {
    name: 'failed-platform-calls',
    shows: 'the calls and reads that the platform refused or did not answer while it onboarded persons',
    of: 'functions',
    query: [
      // Release 0.2.0 logs `observation failed`. Until 0.4.0.
      'filter message like /^(call failed: |observation failed$)/ or message = "platform read failed"',
      'stats count(*) as calls, max(@timestamp) as last by message, step, reason',
      'sort calls desc',
    ],
  },
  {
    name: 'slow-runs',
    shows:
      'how long the functions ran, in milliseconds. Advance, UpdatePerson, Drain and Reconcile wait for the platform most of that time',
    of: 'functions',
    query: [
      'filter type = "platform.report"',
      'stats count(*) as runs, pct(record.metrics.durationMs, 50) as median, pct(record.metrics.durationMs, 99) as p99, max(record.metrics.durationMs) as longest by @log',
      'sort p99 desc',
    ],
  },
];

export type LogQueriesProps = {
  /** Becomes the folder of the queries. */
  readonly environmentName: string;
  readonly webhookIngest: WebhookIngest;
};

/** Saves the queries for the log groups of the stack. */
export class LogQueries extends Construct {
  constructor(scope: Construct, id: string, { environmentName, webhookIngest }: LogQueriesProps) {
    super(scope, id);
    const functions = Stack.of(this)
      .node.findAll()
      .filter((node) => node instanceof DrawbridgeFunction);
    const groups = {
      functions: functions.map(({ logGroup }) => logGroup.logGroupName),
      'access log': [webhookIngest.accessLogs.logGroupName],
    };
    for (const { name, of, query } of logQueries)
      new CfnQueryDefinition(this, nameOfConstruct(name), {
        name: `drawbridge-${environmentName}/${name}`,
        queryString: query.join('\n| '),
        logGroupNames: groups[of],
      });
  }
}

/** `one-event` is `OneEvent`. */
function nameOfConstruct(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
}
