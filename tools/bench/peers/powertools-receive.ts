import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isAuthentic, keepWebhook } from './take-webhook.ts';

const logger = new Logger({ serviceName: 'receive' });
const metrics = new Metrics({ namespace: 'Bench', serviceName: 'receive' });

/** Middy with the logger and the metrics of Powertools, as AWS documents them. */
export const handler = middy(async (event: APIGatewayProxyEventV2) => {
  if (!(await isAuthentic(event.headers['x-webhook-secret']))) {
    metrics.addMetric('DeliveriesUnauthorized', MetricUnit.Count, 1);
    return { statusCode: 401 };
  }
  await keepWebhook({ ...event.requestContext, eventType: event.pathParameters?.['eventType'], body: event.body });
  return { statusCode: 200 };
})
  .use(injectLambdaContext(logger))
  .use(logMetrics(metrics));
