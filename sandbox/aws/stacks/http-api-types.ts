import * as z from 'zod';
import { notChecked, number } from './resource-types.ts';

export const apiProperties = z.strictObject({
  ProtocolType: z.literal('HTTP'),
  Name: notChecked,
  Description: notChecked,
  Tags: notChecked,
});

export const integrationProperties = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
  TimeoutInMillis: number.default(30_000),
});

export const routeProperties = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string(),
  /** AWS_IAM is accepted, and no signature is checked. */
  AuthorizationType: z.enum(['NONE', 'AWS_IAM']).default('NONE'),
});

const routeSettings = z.strictObject({
  ThrottlingBurstLimit: number.optional(),
  ThrottlingRateLimit: number.optional(),
  DetailedMetricsEnabled: notChecked,
});

export const stageProperties = z.strictObject({
  ApiId: z.string(),
  StageName: z.literal('$default'),
  AutoDeploy: z.literal(true),
  DefaultRouteSettings: routeSettings.default({}),
  RouteSettings: z.record(z.string(), routeSettings).default({}),
  AccessLogSettings: z.strictObject({ DestinationArn: z.string(), Format: z.string() }).optional(),
  Description: notChecked,
  Tags: notChecked,
});
