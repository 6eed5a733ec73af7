/** When the prices were written down. */
export const pricesOf = '2026-11-26';

export const regions = ['us-east-1', 'eu-central-1'] as const;

export type Region = (typeof regions)[number];

type Price = {
  readonly name: string;
  /** How many of these the price is for. */
  readonly amount: number;
  /** In US dollars: the first tier, without taxes, free tiers and discounts. */
  readonly usd: Readonly<Record<Region, number>>;
  readonly page: string;
  /** Whether no page was found that quotes AWS with the price of eu-central-1. Those of us-east-1 are quoted. */
  readonly isUnverified: boolean;
};

const million = 1_000_000;
const dynamodb = 'dynamodb/pricing/on-demand';

function price(name: string, amount: number, [us, eu]: readonly [number, number], page: string, mark = ''): Price {
  const usd = { 'us-east-1': us, 'eu-central-1': eu };
  return { name, amount, usd, page: `https://aws.amazon.com/${page}/`, isUnverified: mark === 'unverified' };
}

/** The price list. `quantities.ts` has a quantity for each. */
export const prices = {
  httpRequest: price('API Gateway: requests', million, [1, 1.2], 'api-gateway/pricing', 'unverified'),
  invocation: price('Lambda: requests', million, [0.2, 0.2], 'lambda/pricing'),
  webhookTime: price('Lambda: GB-seconds of webhooks', million, [13.3334, 13.3334], 'lambda/pricing'),
  runTime: price('Lambda: GB-seconds of scheduled runs', million, [13.3334, 13.3334], 'lambda/pricing'),
  reconcileTime: price('Lambda: GB-seconds of reconcile', million, [13.3334, 13.3334], 'lambda/pricing'),
  queueRequest: price('SQS: requests', million, [0.4, 0.4], 'sqs/pricing'),
  fifoRequest: price('SQS: requests to the FIFO queue', million, [0.5, 0.5], 'sqs/pricing'),
  writeUnit: price('DynamoDB: writes', million, [0.625, 0.7625], dynamodb),
  reconcileWrite: price('DynamoDB: writes by reconcile', million, [0.625, 0.7625], dynamodb),
  readUnit: price('DynamoDB: reads', million, [0.125, 0.1525], dynamodb),
  reconcileRead: price('DynamoDB: reads by reconcile', million, [0.125, 0.1525], dynamodb),
  storage: price('DynamoDB: GB-months', 1, [0.25, 0.306], dynamodb),
  rareWriteUnit: price('DynamoDB: writes, infrequent access', million, [0.78, 0.952], dynamodb, 'unverified'),
  rareStorage: price('DynamoDB: GB-months, infrequent access', 1, [0.1, 0.1224], dynamodb, 'unverified'),
  recovery: price('DynamoDB: GB-months of recovery', 1, [0.2, 0.2448], dynamodb),
  busEvent: price('EventBridge: events on the bus', million, [1, 1], 'eventbridge/pricing'),
  archived: price('EventBridge: archived GB', 1, [0.1, 0.12], 'eventbridge/pricing'),
  archive: price('EventBridge: GB-months of the archive', 1, [0.023, 0.0245], 'eventbridge/pricing'),
  run: price('EventBridge Scheduler: runs', million, [1, 1.15], 'eventbridge/pricing'),
  logged: price('CloudWatch: GB of logs', 1, [0.5, 0.63], 'cloudwatch/pricing'),
  rareLogged: price('CloudWatch: GB of logs, infrequent access', 1, [0.25, 0.315], 'cloudwatch/pricing', 'unverified'),
  logStorage: price('CloudWatch: GB-months of logs', 1, [0.03, 0.0324], 'cloudwatch/pricing'),
  gauge: price('CloudWatch: gauges', 1, [0.3, 0.3], 'cloudwatch/pricing'),
  metric: price('CloudWatch: other metrics', 1, [0.3, 0.3], 'cloudwatch/pricing'),
  alarm: price('CloudWatch: metrics of alarms', 1, [0.1, 0.1], 'cloudwatch/pricing'),
  compositeAlarm: price('CloudWatch: composite alarms', 1, [0.5, 0.5], 'cloudwatch/pricing'),
  dashboard: price('CloudWatch: dashboards', 1, [3, 3], 'cloudwatch/pricing', 'unverified'),
  key: price('KMS: keys', 1, [1, 1], 'kms/pricing', 'unverified'),
  keyRequest: price('KMS: requests', 10_000, [0.03, 0.03], 'kms/pricing', 'unverified'),
  secret: price('Secrets Manager: secrets', 1, [0.4, 0.4], 'secrets-manager/pricing', 'unverified'),
  secretRequest: price('Secrets Manager: requests', 10_000, [0.05, 0.05], 'secrets-manager/pricing', 'unverified'),
  trace: price('X-Ray: traces', million, [5, 5], 'xray/pricing', 'unverified'),
} as const satisfies Readonly<Record<string, Price>>;

export type PriceName = keyof typeof prices;

/** Of a trail of the account, if it records the tables, the queues and the functions. No part of a total. */
export const trailPrice = price('CloudTrail: data events', 100_000, [0.1, 0.1], 'cloudtrail/pricing', 'unverified');
