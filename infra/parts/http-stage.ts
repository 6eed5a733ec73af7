import { Fn, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { CfnRoute, CfnStage, type HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
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

/** The log group for the access logs of all APIs of the stack. */
export function createAccessLogs(scope: Construct, { data, settings }: AccessLogProps): LogGroup {
  const name = accessLogName(scope);
  return new EncryptedLogGroup(scope, 'AccessLogs', { data, retention: settings.logRetentionDays, name });
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
    detailedMetricsEnabled: true,
    accessLogSettings: {
      destination: new LogGroupLogDestination(accessLogs),
      format: AccessLogFormat.custom(JSON.stringify(accessLog)),
    },
  });
  // Requests of the partner must not use up the concurrency of the account, which webhooks need.
  const routeSettings = [...throttles].map(([route, { rate, burst }]) => [
    route,
    { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst, DetailedMetricsEnabled: true },
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
