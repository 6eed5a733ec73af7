import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { CfnRoute, CfnStage, type HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

export type StageProps = {
  readonly settings: Pick<Settings, 'webhookThrottle' | 'logRetentionDays'>;
  /** What the routes that the partner's own systems call take at most, by the key of the route. */
  readonly throttles: ReadonlyMap<string, Throttle>;
};

type Throttle = Settings['lookUpThrottle'];

/** The one stage of the API, with its access log and what each route takes at most. To be made after the routes. */
export function createStage(scope: Construct, api: HttpApi, { settings, throttles }: StageProps): void {
  const { webhookThrottle, logRetentionDays } = settings;
  const stage = new HttpStage(scope, 'Stage', {
    httpApi: api,
    autoDeploy: true,
    throttle: { rateLimit: webhookThrottle.rate, burstLimit: webhookThrottle.burst },
    detailedMetricsEnabled: true,
    accessLogSettings: {
      destination: new LogGroupLogDestination(new LogGroup(scope, 'AccessLogs', { retention: logRetentionDays })),
      format: AccessLogFormat.custom(JSON.stringify(accessLog)),
    },
  });
  // What the partner asks for must not use up what the account runs side by side: webhooks need it.
  const routeSettings = [...throttles].map(([route, { rate, burst }]) => [
    route,
    { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst, DetailedMetricsEnabled: true },
  ]);
  const resource = stage.node.findAll().find((node) => node instanceof CfnStage);
  resource?.addPropertyOverride('RouteSettings', Object.fromEntries(routeSettings));
  // A stage cannot have settings of a route that is not there yet.
  for (const route of api.node.findAll().filter((node) => node instanceof CfnRoute))
    resource?.addResourceDependency(route);
}

/**
 * What is known of a request without its headers, its body and its path: the first hold the secret, the others personal
 * data, since the path of an onboarding names the partner's externalId.
 */
const accessLog = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationLatency: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
};
