import * as z from 'zod';

/**
 * The properties of each resource type that the sandbox knows. Strict: one that is not here stops the sandbox, since
 * what runs on the laptop would not be what is deployed. `notChecked` marks those that have no meaning on a laptop.
 */
export const notChecked = z.unknown().optional();

/** CloudFormation takes numbers and booleans in quotes as well. */
export const number = z.coerce.number();

const boolean = z.union([z.boolean(), z.stringbool()]);

export const queueProperties = z.strictObject({
  DelaySeconds: number.optional(),
  MaximumMessageSize: number.optional(),
  MessageRetentionPeriod: number.optional(),
  ReceiveMessageWaitTimeSeconds: number.optional(),
  RedrivePolicy: z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: number }).optional(),
  VisibilityTimeout: number.default(30),
  FifoQueue: boolean.optional(),
  ContentBasedDeduplication: boolean.optional(),
  KmsMasterKeyId: z.string().optional(),
  KmsDataKeyReusePeriodSeconds: notChecked,
  RedriveAllowPolicy: notChecked,
  SqsManagedSseEnabled: notChecked,
  Tags: notChecked,
});

const keySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

export const tableProperties = z.strictObject({
  KeySchema: keySchema,
  AttributeDefinitions: z.array(z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  GlobalSecondaryIndexes: z
    .array(
      z.strictObject({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.strictObject({
          ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: z.array(z.string()).optional(),
        }),
      }),
    )
    .optional(),
  // The laptop deletes no expired items: readers must treat them as absent anyway.
  TimeToLiveSpecification: notChecked,
  DeletionProtectionEnabled: notChecked,
  PointInTimeRecoverySpecification: notChecked,
  TableClass: notChecked,
  SSESpecification: z.looseObject({ KMSMasterKeyId: z.string().optional() }).optional(),
  Tags: notChecked,
});

export const secretProperties = z.strictObject({
  GenerateSecretString: z
    .strictObject({
      SecretStringTemplate: z.string().optional(),
      GenerateStringKey: z.string().optional(),
      PasswordLength: number.default(32),
      ExcludePunctuation: boolean.default(false),
    })
    .optional(),
  SecretString: z.string().optional(),
  Description: notChecked,
  KmsKeyId: z.string().optional(),
  Tags: notChecked,
});

export const functionProperties = z.strictObject({
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.coerce.string()) }).default({ Variables: {} }),
  Handler: z.string(),
  MemorySize: number.default(128),
  ReservedConcurrentExecutions: number.optional(),
  Runtime: z.literal('nodejs24.x'),
  Timeout: number.default(3),
  Architectures: notChecked,
  Description: notChecked,
  LoggingConfig: z.looseObject({ LogGroup: z.string().optional() }).default({}),
  Role: z.string(),
  Tags: notChecked,
  TracingConfig: notChecked,
});

export const eventSourceMappingProperties = z.strictObject({
  BatchSize: number.default(10),
  Enabled: boolean.default(true),
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  MaximumBatchingWindowInSeconds: number.default(0),
  ScalingConfig: z.strictObject({ MaximumConcurrency: number }).optional(),
  Tags: notChecked,
});

export const eventInvokeConfigProperties = z.strictObject({
  FunctionName: z.string(),
  MaximumRetryAttempts: number.optional(),
  /** On the laptop no event gets too old. */
  MaximumEventAgeInSeconds: notChecked,
  /** The laptop has no versions. */
  Qualifier: z.literal('$LATEST'),
});

export const logGroupProperties = z.strictObject({
  // The laptop gives names of its own.
  LogGroupName: notChecked,
  LogGroupClass: notChecked,
  KmsKeyId: notChecked,
  RetentionInDays: notChecked,
  Tags: notChecked,
});

export const queryDefinitionProperties = z.strictObject({
  Name: z.string(),
  QueryString: z.string(),
  LogGroupNames: z.array(z.string()),
});

/** Types that have nothing to do on a laptop, and what is not checked there because of it. */
export const notHostedTypes: ReadonlyMap<string, string> = new Map([
  ['AWS::KMS::Key', 'encryption'],
  ['AWS::KMS::Alias', 'encryption'],
  ['AWS::Lambda::Permission', 'signatures, and permissions of others than functions'],
  ['AWS::Events::EventBusPolicy', 'signatures, and permissions of others than functions'],
  ['AWS::SQS::QueuePolicy', 'signatures, and permissions of others than functions'],
  ['AWS::SNS::TopicPolicy', 'signatures, and permissions of others than functions'],
  ['AWS::SNS::Topic', 'notifications of alarms'],
  ['AWS::SNS::Subscription', 'notifications of alarms'],
  ['AWS::CloudWatch::Dashboard', 'the dashboard'],
  ['AWS::Logs::LogGroup', 'log retention'],
]);
