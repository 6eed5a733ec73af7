import type { Region } from '#cli/cost/price-list.ts';

/** When the quotas were written down. */
export const quotasOf = '2026-11-23';

/** `page`: read on the page of AWS, or in a stored copy of the page. `memory`: not compared with any page. */
export type QuotaEvidence = 'page' | 'memory';

export type Quota = {
  readonly name: string;
  readonly values: Readonly<Record<Region, readonly [value: number, evidence: QuotaEvidence]>>;
  readonly isAdjustable: boolean;
  readonly page: string;
};

const everywhere = (value: number): Quota['values'] => ({
  'us-east-1': [value, 'page'],
  'eu-central-1': [value, 'page'],
});

const apiGateway = 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html';
const lambdaScaling = 'https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html';
const sqsScaling = 'https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html';
const warmThroughput =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html';
const eventBridge = 'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html';

/** The default quotas of AWS that webhooks use. */
export const quotas = {
  apiRequests: {
    name: 'API Gateway: requests a second of an account',
    values: everywhere(10_000),
    isAdjustable: true,
    page: apiGateway,
  },
  apiBurst: {
    name: 'API Gateway: requests in a burst of an account',
    values: everywhere(5_000),
    isAdjustable: false,
    page: apiGateway,
  },
  executions: {
    name: 'Lambda: concurrent executions of an account',
    values: everywhere(1_000),
    isAdjustable: true,
    page: lambdaScaling,
  },
  newInstances: {
    name: 'Lambda: new instances of a function in 10 seconds',
    values: everywhere(1_000),
    isAdjustable: false,
    page: lambdaScaling,
  },
  firstBatches: {
    name: 'Lambda: batches of a queue that Lambda works on when messages arrive',
    values: everywhere(5),
    isAdjustable: false,
    page: sqsScaling,
  },
  batchesPerMinute: {
    name: 'Lambda: batches of a queue that Lambda adds a minute',
    values: everywhere(300),
    isAdjustable: false,
    page: sqsScaling,
  },
  tableWrites: {
    name: 'DynamoDB: write units a second of a new table',
    values: everywhere(4_000),
    isAdjustable: true,
    page: warmThroughput,
  },
  partitionWrites: {
    name: 'DynamoDB: write units a second of one partition',
    values: everywhere(1_000),
    isAdjustable: false,
    page: warmThroughput,
  },
  putEvents: {
    name: 'EventBridge: PutEvents requests a second',
    values: { 'us-east-1': [10_000, 'page'], 'eu-central-1': [2_400, 'memory'] },
    isAdjustable: true,
    page: eventBridge,
  },
  invocations: {
    name: 'EventBridge: events a second that match a rule',
    values: { 'us-east-1': [18_750, 'page'], 'eu-central-1': [4_500, 'page'] },
    isAdjustable: true,
    page: eventBridge,
  },
} as const satisfies Readonly<Record<string, Quota>>;
