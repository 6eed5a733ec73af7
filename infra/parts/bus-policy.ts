import { CfnEventBusPolicy, type EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { busSource } from '#shared/bus/bus.ts';
import type { DrawbridgeFunction } from './function.ts';

/**
 * Refuses events in the name of Drawbridge from everyone but the functions that publish, whatever a policy of the caller allows.
 * In the stack of the functions: the data stack cannot name their roles. A replay of the archive has no role, and passes.
 */
export function refuseForgedEvents(scope: Construct, bus: EventBus, publishers: readonly DrawbridgeFunction[]): void {
  new CfnEventBusPolicy(scope, 'BusPolicy', {
    eventBusName: bus.eventBusName,
    statementId: 'OnlyDrawbridgeIsDrawbridge',
    statement: {
      Effect: 'Deny',
      Principal: '*',
      Action: 'events:PutEvents',
      Resource: bus.eventBusArn,
      Condition: {
        'ForAnyValue:StringEquals': { 'events:source': busSource },
        ArnNotEquals: { 'aws:PrincipalArn': publishers.map(({ lambda }) => lambda.role?.roleArn) },
        Bool: { 'aws:PrincipalIsAWSService': 'false' },
      },
    },
  });
}
