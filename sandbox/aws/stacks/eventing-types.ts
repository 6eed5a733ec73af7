import * as z from 'zod';
import { notChecked, number } from './resource-types.ts';

const retryPolicy = z.strictObject({
  MaximumRetryAttempts: number.default(185),
  /** A failing target is retried immediately or not at all: on the laptop no event gets too old. */
  MaximumEventAgeInSeconds: notChecked,
});

const deadLetterConfig = z.strictObject({ Arn: z.string() });

export const scheduleProperties = z.strictObject({
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z.string().default('UTC'),
  FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Target: z.strictObject({
    Arn: z.string(),
    Input: z.string().optional(),
    RetryPolicy: retryPolicy.prefault({}),
    DeadLetterConfig: deadLetterConfig.optional(),
    /** CDK writes it for every queue. It has a content only for FIFO queues. */
    SqsParameters: z.strictObject({ MessageGroupId: z.string().optional() }).default({}),
    RoleArn: notChecked,
  }),
  Description: notChecked,
  GroupName: notChecked,
  KmsKeyArn: notChecked,
});

export const eventBusProperties = z.strictObject({
  Name: z.string().optional(),
  Description: notChecked,
  KmsKeyIdentifier: z.string().optional(),
  Tags: notChecked,
});

export const archiveProperties = z.strictObject({
  ArchiveName: z.string().optional(),
  SourceArn: z.string(),
  EventPattern: z.record(z.string(), z.unknown()).optional(),
  Description: z.string().optional(),
  RetentionDays: number.optional(),
  KmsKeyIdentifier: notChecked,
});

export const ruleProperties = z.strictObject({
  Name: notChecked,
  EventBusName: z.string().default('default'),
  EventPattern: z.record(z.string(), z.unknown()).optional(),
  ScheduleExpression: z.string().optional(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Targets: z
    .array(
      z.strictObject({
        Id: z.string(),
        Arn: z.string(),
        Input: z.string().optional(),
        RetryPolicy: retryPolicy.prefault({}),
        DeadLetterConfig: deadLetterConfig.optional(),
        RoleArn: notChecked,
      }),
    )
    .default([]),
  Description: z.string().optional(),
  Tags: notChecked,
});
