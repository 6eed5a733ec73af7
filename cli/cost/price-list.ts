/** When the prices were written down. */
export const pricesOf = '2026-11-23';

export const regions = ['us-east-1', 'eu-central-1'] as const;

export type Region = (typeof regions)[number];

/**
 * Where a price comes from. `quoted`: other public pages quote AWS with this price. Those of eu-central-1 read the price lists
 * that AWS published from August 2025 to September 2026. `memory`: not compared with any page. Change it to `page` when you have.
 */
export type Evidence = 'page' | 'quoted' | 'memory';

type Price = {
  readonly name: string;
  /** What the price is for, as a quantity is counted. */
  readonly per: string;
  /** How many of these the price is for. */
  readonly amount: number;
  readonly page: string;
  /** In US dollars, without taxes, free tiers and discounts. */
  readonly usd: Readonly<Record<Region, readonly [price: number, evidence: Evidence]>>;
};

const million = 1_000_000;

/** One price in both regions, with the evidence of each. */
const everywhere = (price: number, evidence: Evidence, inFrankfurt: Evidence) =>
  ({ 'us-east-1': [price, evidence], 'eu-central-1': [price, inFrankfurt] }) satisfies Price['usd'];

const apiGateway = 'https://aws.amazon.com/api-gateway/pricing/';
const lambda = 'https://aws.amazon.com/lambda/pricing/';
const sqs = 'https://aws.amazon.com/sqs/pricing/';
const dynamodb = 'https://aws.amazon.com/dynamodb/pricing/on-demand/';
const eventBridge = 'https://aws.amazon.com/eventbridge/pricing/';
const cloudWatch = 'https://aws.amazon.com/cloudwatch/pricing/';
const kms = 'https://aws.amazon.com/kms/pricing/';
const secretsManager = 'https://aws.amazon.com/secrets-manager/pricing/';

/** The price list: the first tier of each price. */
export const prices = {
  httpRequest: {
    name: 'API Gateway: requests',
    per: 'HTTP API request of up to 512 KB',
    amount: million,
    page: apiGateway,
    usd: { 'us-east-1': [1, 'quoted'], 'eu-central-1': [1.2, 'memory'] },
  },
  invocation: {
    name: 'Lambda: requests',
    per: 'invocation',
    amount: million,
    page: lambda,
    usd: everywhere(0.2, 'quoted', 'quoted'),
  },
  gigabyteSecond: {
    name: 'Lambda: duration',
    per: 'GB-second on arm64',
    amount: million,
    page: lambda,
    usd: everywhere(13.3334, 'quoted', 'quoted'),
  },
  queueRequest: {
    name: 'SQS: requests',
    per: 'request of up to 64 KB to a standard queue',
    amount: million,
    page: sqs,
    usd: everywhere(0.4, 'quoted', 'quoted'),
  },
  fifoRequest: {
    name: 'SQS: requests to the FIFO queue',
    per: 'request of up to 64 KB to a FIFO queue',
    amount: million,
    page: sqs,
    usd: everywhere(0.5, 'quoted', 'quoted'),
  },
  writeUnit: {
    name: 'DynamoDB: writes',
    per: 'write request unit',
    amount: million,
    page: dynamodb,
    usd: { 'us-east-1': [0.625, 'quoted'], 'eu-central-1': [0.7625, 'quoted'] },
  },
  readUnit: {
    name: 'DynamoDB: reads',
    per: 'read request unit',
    amount: million,
    page: dynamodb,
    usd: { 'us-east-1': [0.125, 'quoted'], 'eu-central-1': [0.1525, 'quoted'] },
  },
  entityRead: {
    name: 'DynamoDB: reads of the entities by reconcile',
    per: 'read request unit',
    amount: million,
    page: dynamodb,
    usd: { 'us-east-1': [0.125, 'quoted'], 'eu-central-1': [0.1525, 'quoted'] },
  },
  tableStorage: {
    name: 'DynamoDB: storage',
    per: 'GB-month',
    amount: 1,
    page: dynamodb,
    usd: { 'us-east-1': [0.25, 'quoted'], 'eu-central-1': [0.306, 'quoted'] },
  },
  tableBackup: {
    name: 'DynamoDB: point-in-time recovery',
    per: 'GB-month',
    amount: 1,
    page: dynamodb,
    usd: { 'us-east-1': [0.2, 'quoted'], 'eu-central-1': [0.2448, 'quoted'] },
  },
  busEvent: {
    name: 'EventBridge: events on the bus',
    per: 'custom event of up to 64 KB',
    amount: million,
    page: eventBridge,
    usd: everywhere(1, 'quoted', 'quoted'),
  },
  archivedGigabyte: {
    name: 'EventBridge: archived events',
    per: 'GB',
    amount: 1,
    page: eventBridge,
    usd: { 'us-east-1': [0.1, 'quoted'], 'eu-central-1': [0.12, 'quoted'] },
  },
  archiveStorage: {
    name: 'EventBridge: storage of the archive',
    per: 'GB-month',
    amount: 1,
    page: eventBridge,
    usd: { 'us-east-1': [0.023, 'quoted'], 'eu-central-1': [0.0245, 'quoted'] },
  },
  scheduledRun: {
    name: 'EventBridge Scheduler: runs',
    per: 'run',
    amount: million,
    page: eventBridge,
    usd: { 'us-east-1': [1, 'quoted'], 'eu-central-1': [1.15, 'quoted'] },
  },
  loggedGigabyte: {
    name: 'CloudWatch: logs',
    per: 'GB of log lines',
    amount: 1,
    page: cloudWatch,
    usd: { 'us-east-1': [0.5, 'quoted'], 'eu-central-1': [0.63, 'quoted'] },
  },
  logStorage: {
    name: 'CloudWatch: storage of logs',
    per: 'GB-month',
    amount: 1,
    page: cloudWatch,
    usd: { 'us-east-1': [0.03, 'quoted'], 'eu-central-1': [0.0324, 'quoted'] },
  },
  metric: {
    name: 'CloudWatch: metrics',
    per: 'metric and month',
    amount: 1,
    page: cloudWatch,
    usd: everywhere(0.3, 'quoted', 'quoted'),
  },
  alarm: {
    name: 'CloudWatch: alarms',
    per: 'metric of an alarm, and month',
    amount: 1,
    page: cloudWatch,
    usd: everywhere(0.1, 'quoted', 'quoted'),
  },
  compositeAlarm: {
    name: 'CloudWatch: composite alarms',
    per: 'composite alarm and month',
    amount: 1,
    page: cloudWatch,
    usd: everywhere(0.5, 'quoted', 'quoted'),
  },
  dashboard: {
    name: 'CloudWatch: dashboards',
    per: 'dashboard and month',
    amount: 1,
    page: cloudWatch,
    usd: everywhere(3, 'quoted', 'memory'),
  },
  key: { name: 'KMS: keys', per: 'key and month', amount: 1, page: kms, usd: everywhere(1, 'quoted', 'memory') },
  keyRequest: {
    name: 'KMS: requests',
    per: 'request',
    amount: 10_000,
    page: kms,
    usd: everywhere(0.03, 'quoted', 'memory'),
  },
  secret: {
    name: 'Secrets Manager: secrets',
    per: 'secret and month',
    amount: 1,
    page: secretsManager,
    usd: everywhere(0.4, 'quoted', 'memory'),
  },
  secretRequest: {
    name: 'Secrets Manager: requests',
    per: 'request',
    amount: 10_000,
    page: secretsManager,
    usd: everywhere(0.05, 'quoted', 'memory'),
  },
  trace: {
    name: 'X-Ray: traces',
    per: 'recorded trace',
    amount: million,
    page: 'https://aws.amazon.com/xray/pricing/',
    usd: everywhere(5, 'quoted', 'memory'),
  },
} as const satisfies Readonly<Record<string, Price>>;

export type PriceName = keyof typeof prices;
