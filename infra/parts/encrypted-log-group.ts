import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { DataStack } from '#infra/data-stack.ts';

export type EncryptedLogGroupProps = {
  readonly data: Pick<DataStack, 'key'>;
  readonly retention: RetentionDays;
};

/** A log group with our key. Stays when the stack is deleted, and not when its creation is rolled back. */
export class EncryptedLogGroup extends LogGroup {
  constructor(scope: Construct, id: string, { data, retention }: EncryptedLogGroupProps) {
    super(scope, id, {
      retention,
      encryptionKey: data.key,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
  }
}
