import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { eventKeys } from '#shared/event-row.ts';
import { DrawbridgeFunction } from './function.ts';
import type { Settings } from './settings.ts';

export type ReplayProps = {
  readonly settings: Settings;
  readonly key: Key;
  readonly events: Table;
  /** Where `store` takes what it is to judge anew. */
  readonly webhooks: Queue;
};

/** Hands events to `store` once more: those in quarantine, once their cause is mended. A hand invokes it. */
export class Replay extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, { settings, key, events, webhooks }: ReplayProps) {
    super(scope, id, {
      description: 'Counts events in quarantine, and hands them to store once more',
      entry: 'functions/webhook-ingest/replay.lambda.ts',
      environment: { EVENTS_TABLE: events.tableName, QUEUE_URL: webhooks.queueUrl },
      memorySize: 1_024,
      // Whoever invokes it waits: a connection that is idle for longer may be cut.
      timeout: Duration.minutes(5),
      logRetention: settings.logRetentionDays,
    });
    this.allow(['dynamodb:Query'], `${events.tableArn}/index/${eventKeys.quarantine.index}`);
    this.allow(['dynamodb:GetItem', 'dynamodb:Scan'], events.tableArn);
    this.allow(['sqs:SendMessage'], webhooks.queueArn);
    this.allow(['kms:Decrypt', 'kms:GenerateDataKey'], key.keyArn);
    Validations.of(this.lambda).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'A hand invokes it, is told what failed, and invokes it again: to replay twice is harmless.',
    });
  }
}
