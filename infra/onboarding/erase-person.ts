import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { errorsOf } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { callerRetries, DrawbridgeFunction } from '#infra/parts/function.ts';
import { profileVariable, retentionVariables } from '#infra/parts/platform-access.ts';
import { drawbridge, type RunbookCommand, readErrors } from '#infra/parts/runbook-commands.ts';
import { useKey, via } from '#infra/parts/use-key.ts';
import { eventKeys } from '#shared/events/event-row.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';

export type ErasePersonProps = Pick<CapabilityProps, 'settings' | 'data' | 'alarms'>;

/** The command that completes an unfinished erasure. */
export const repeatErasure: RunbookCommand = drawbridge('persons erase EXTERNAL_ID');

/** Erases a person from every table that holds the person. */
export class ErasePerson extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, { settings, data, alarms }: ErasePersonProps) {
    const { key, onboardings, events, entities, persons, checkpoints } = data;
    super(scope, id, {
      data,
      settings,
      description: 'Erases a person from every table that holds it, and shows what is stored of a person',
      entry: 'functions/onboarding/erase-person/lambda.ts',
      environment: {
        ONBOARDINGS_TABLE: onboardings.tableName,
        ENTITIES_TABLE: entities.tableName,
        EVENTS_TABLE: events.tableName,
        PERSONS_TABLE: persons.tableName,
        CHECKPOINTS_TABLE: checkpoints.tableName,
        ...retentionVariables(settings),
        ...profileVariable(settings),
      },
      // It may fill the index of persons, and then reads all bodies.
      memorySize: 1_024,
      // API Gateway waits for 30 seconds.
      timeout: Duration.seconds(29),
      onFailure: callerRetries,
    });
    this.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], onboardings.tableArn);
    for (const { index } of [onboardingKeys.person, onboardingKeys.verification])
      this.allow(['dynamodb:Query'], `${onboardings.tableArn}/index/${index}`);
    this.allow(['dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:DeleteItem'], entities.tableArn);
    this.allow(['dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:DeleteItem'], persons.tableArn);
    this.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], checkpoints.tableArn);
    this.allow(['dynamodb:Scan', 'dynamodb:GetItem', 'dynamodb:UpdateItem'], events.tableArn);
    this.allow(['dynamodb:Query'], `${events.tableArn}/index/${eventKeys.quarantine.index}`);
    this.allow(useKey, key.keyArn, via('dynamodb'));
    alarms.add({
      ErasePersonErrors: {
        metric: errorsOf(this),
        above: 0,
        hasEnd: false,
        part: 'api',
        meaning:
          'ErasePerson crashed or exceeded its time limit. A person may be erased in part: then ErasuresUnfinished follows.',
        remedy:
          'Read the errors of ErasePerson and fix their cause. Have the caller repeat the request until it gets 204.',
        commands: [...readErrors(this), repeatErasure],
      },
    });
  }
}
