import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { CfnRoute, CfnStage, type HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Settings } from './settings.ts';

export type StageProps = {
  readonly settings: Pick<Settings, 'webhookThrottle' | 'lookUpThrottle' | 'logRetentionDays'>;
  /** The keys of the routes that the partner's own systems call. */
  readonly lookUpRoutes: readonly string[];
};

/** The one stage of the API, with its access log and what each route takes at most. To be made after the routes. */
export function createStage(scope: Construct, api: HttpApi, { settings, lookUpRoutes }: StageProps): void {
  const { webhookThrottle, lookUpThrottle, logRetentionDays } = settings;
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
  const { rate, burst } = lookUpThrottle;
  // What looks up must not use up what the account runs side by side: webhooks need it.
  const throttle = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst, DetailedMetricsEnabled: true };
  const resource = stage.node.findAll().find((node) => node instanceof CfnStage);
  resource?.addPropertyOverride('RouteSettings', Object.fromEntries(lookUpRoutes.map((route) => [route, throttle])));
  // A stage cannot have settings of a route that is not there yet.
  for (const route of api.node.findAll().filter((node) => node instanceof CfnRoute))
    resource?.addResourceDependency(route);
}

/** What is known of a request without its headers and its body: the one holds the secret, the other personal data. */
const accessLog = {
  requestId: '$context.requestId',
  requestTime: '$context.requestTime',
  sourceIp: '$context.identity.sourceIp',
  routeKey: '$context.routeKey',
  path: '$context.path',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationLatency: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
};
