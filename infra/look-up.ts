import { Duration } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { LookUpRoute } from '#functions/webhook-ingest/look-up.ts';
import { DrawbridgeFunction } from './function.ts';
import { statusesVariable } from './platform-access.ts';
import type { Settings } from './settings.ts';

export type LookUpProps = {
  readonly settings: Settings;
  readonly key: Key;
  readonly events: Table;
  readonly entities: Table;
};

const paths: Readonly<Record<LookUpRoute, string>> = {
  'GET /entities/{kind}/{id}': '/entities/{kind}/{id}',
  'GET /entities/{kind}/{id}/timeline': '/entities/{kind}/{id}/timeline',
  'GET /events/{eventId}': '/events/{eventId}',
};

/** The keys of its routes, as API Gateway writes them. */
export const lookUpRoutes = Object.keys(paths);

/** Answers what is known to the partner's own systems, which sign what they ask with IAM credentials. */
export class LookUp extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, { settings, key, events, entities }: LookUpProps) {
    super(scope, id, {
      description: 'Answers what is known of an entity, its timeline, or an event',
      entry: 'functions/webhook-ingest/look-up.lambda.ts',
      environment: {
        EVENTS_TABLE: events.tableName,
        EVENT_RETENTION_DAYS: String(settings.eventRetentionDays),
        ENTITIES_TABLE: entities.tableName,
        ...statusesVariable(settings),
      },
      memorySize: 1_024,
      timeout: Duration.seconds(10),
      logRetention: settings.logRetentionDays,
    });
    this.allow(['dynamodb:GetItem'], events.tableArn);
    this.allow(['dynamodb:GetItem', 'dynamodb:Query'], entities.tableArn);
    this.allow(['kms:Decrypt'], key.keyArn);
  }

  /** Puts its routes on the API. API Gateway checks the signature, and whether the caller may `execute-api:Invoke`. */
  addRoutes(api: HttpApi): void {
    const integration = new HttpLambdaIntegration('LookUpIntegration', this.lambda);
    const authorizer = new HttpIamAuthorizer();
    for (const path of Object.values(paths))
      api.addRoutes({ path, methods: [HttpMethod.GET], integration, authorizer });
  }
}
