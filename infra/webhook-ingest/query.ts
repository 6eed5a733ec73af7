import { Duration } from 'aws-cdk-lib';
import { type HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import type { QueryRoute } from '#functions/webhook-ingest/query/query.ts';
import { callsPeriod, errorsOf, failingCalls } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { callerRetries, DrawbridgeFunction } from '#infra/parts/function.ts';
import { addSignedRoutes, type RouteOwner, type Throttle, throttleEach } from '#infra/parts/http-routes.ts';
import { eventTypesVariable, listVariables, placesVariable, statusesVariable } from '#infra/parts/platform-access.ts';
import { readErrors } from '#infra/parts/runbook-commands.ts';
import { via } from '#infra/parts/use-key.ts';
import { entityKeys } from '#shared/entities/entity-row.ts';
import { eventKeys } from '#shared/events/event-row.ts';

export type QueryProps = Pick<CapabilityProps, 'settings' | 'data' | 'alarms'>;

const paths: Readonly<Record<QueryRoute, string>> = {
  'GET /entities/{kind}': '/entities/{kind}',
  'GET /entities/{kind}/{id}': '/entities/{kind}/{id}',
  'GET /entities/{kind}/{id}/timeline': '/entities/{kind}/{id}/timeline',
  'GET /events': '/events',
  'GET /events/{eventId}': '/events/{eventId}',
  'GET /events/{eventId}/body': '/events/{eventId}/body',
  'GET /quarantine': '/quarantine',
};
const routes = Object.values(paths).map((path) => ({ method: HttpMethod.GET, path }));

/** Answers queries of the partner's own systems, which sign them with IAM credentials. */
export class Query extends DrawbridgeFunction implements RouteOwner {
  readonly throttles: ReadonlyMap<string, Throttle>;

  constructor(scope: Construct, id: string, { settings, data, alarms }: QueryProps) {
    const { key, events, entities, checkpoints } = data;
    super(scope, id, {
      data,
      settings,
      description: 'Answers what is known of an entity, its timeline, or an event, and lists',
      entry: 'functions/webhook-ingest/query/lambda.ts',
      environment: {
        EVENTS_TABLE: events.tableName,
        EVENT_RETENTION_DAYS: String(settings.eventRetentionDays),
        ENTITIES_TABLE: entities.tableName,
        CHECKPOINTS_TABLE: checkpoints.tableName,
        ...statusesVariable(settings),
        ...placesVariable(settings),
        ...listVariables(settings),
        ...(settings.listEvents && eventTypesVariable(settings)),
      },
      memorySize: 1_024,
      timeout: Duration.seconds(10),
      onFailure: callerRetries,
    });
    this.throttles = throttleEach(routes, settings.queryThrottle);
    this.allow(['dynamodb:GetItem'], events.tableArn);
    this.allow(['dynamodb:Query'], `${events.tableArn}/index/${eventKeys.quarantine.index}`);
    this.allow(['dynamodb:GetItem', 'dynamodb:Query'], entities.tableArn);
    if (settings.listEvents)
      for (const { index } of [eventKeys.listed, eventKeys.received])
        this.allow(['dynamodb:Query'], `${events.tableArn}/index/${index}`);
    if (settings.listEvents || settings.listEntities) this.allow(['dynamodb:GetItem'], checkpoints.tableArn);
    if (settings.listEntities) this.allow(['dynamodb:Query'], `${entities.tableArn}/index/${entityKeys.listed.index}`);
    this.allow(['kms:Decrypt'], key.keyArn, via('dynamodb'));
    alarms.add({
      QueryErrors: {
        metric: errorsOf(this, callsPeriod),
        ...failingCalls,
        part: 'query',
        meaning:
          'Query crashes or exceeds its time limit. Your own systems get no answers about entities and events. Webhooks are still received and stored.',
        remedy: 'Read the errors of Query and fix their cause.',
        commands: readErrors(this),
      },
    });
  }

  addRoutes(api: HttpApi): void {
    addSignedRoutes(api, routes, { name: 'QueryIntegration', of: this });
  }
}
