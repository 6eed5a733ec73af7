import { Fn, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { CfnRoute, CfnStage, type HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { type LogGroup, LogGroupClass } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { DataStack } from '#infra/data-stack.ts';
import type { Settings } from '#infra/settings.ts';
import { version } from '#shared/version.ts';
import { EncryptedLogGroup } from './encrypted-log-group.ts';
import type { Throttle } from './http-routes.ts';

export type AccessLogProps = {
  readonly data: Pick<DataStack, 'key'>;
  readonly settings: Pick<Settings, 'logRetentionDays'>;
};

/**
 * The log group for the access logs of all APIs of the stack. Its class takes half the price. Logs Insights reads such a group; metric
 * filters, Live Tail and FilterLogEvents do not.
 */
export function createAccessLogs(scope: Construct, { data, settings }: AccessLogProps): LogGroup {
  const [name, retention] = [accessLogName(scope), settings.logRetentionDays];
  // Has the lines of release 0.2.0 until they expire. A rollback to that release would not find it removed: its name is fixed.
  new EncryptedLogGroup(scope, 'AccessLogs', { data, retention, name });
  return new EncryptedLogGroup(scope, 'InfrequentAccessLogs', {
    data,
    retention,
    name: `${name}-infrequent`,
    logGroupClass: LogGroupClass.INFREQUENT_ACCESS,
  });
}

export type StageProps = {
  readonly accessLogs: LogGroup;
  /** Of each route without a throttle of its own. */
  readonly throttle: Throttle;
  /** By the key of the route. */
  readonly throttles?: ReadonlyMap<string, Throttle>;
};

/** The one stage of the API, with its access log and the throttle of each route. Created after the routes. */
export function createStage(scope: Construct, api: HttpApi, props: StageProps): HttpStage {
  const { accessLogs, throttle, throttles = new Map() } = props;
  const stage = new HttpStage(scope, 'Stage', {
    httpApi: api,
    autoDeploy: true,
    throttle: { rateLimit: throttle.rate, burstLimit: throttle.burst },
    // Six metrics for each route, each with a price: no alarm and no graph reads them.
    detailedMetricsEnabled: false,
    accessLogSettings: {
      destination: new LogGroupLogDestination(accessLogs),
      format: AccessLogFormat.custom(JSON.stringify(accessLog)),
    },
  });
  // Requests of the partner must not use up the concurrency of the account, which webhooks need.
  const routeSettings = [...throttles].map(([route, { rate, burst }]) => [
    route,
    { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst, DetailedMetricsEnabled: false },
  ]);
  const resource = stage.node.findAll().find((node) => node instanceof CfnStage);
  if (routeSettings.length > 0) resource?.addPropertyOverride('RouteSettings', Object.fromEntries(routeSettings));
  // CloudFormation refuses settings of a route that does not exist yet.
  for (const route of api.node.findAll().filter((node) => node instanceof CfnRoute))
    resource?.addResourceDependency(route);
  return stage;
}

/**
 * Below `/aws/vendedlogs/`, as AWS asks for logs that a service delivers: one statement then covers all of them in the policy of
 * CloudWatch Logs, whose size is limited. A stack that is deleted leaves the log group behind, so that the name ends in a part of
 * the stack's id, which the next stack of the same name does not have.
 */
function accessLogName(scope: Construct): string {
  const { stackName, stackId } = Stack.of(scope);
  const firstPart = Fn.select(0, Fn.split('-', Fn.select(2, Fn.split('/', stackId))));
  return `/aws/vendedlogs/apigateway/${stackName}-${firstPart}`;
}

/**
 * Logs the release and a request without its headers, body and path: headers hold the secret, bodies personal data, and the
 * path of an onboarding the partner's externalId.
 */
const accessLog = {
  version,
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationLatency: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
};
