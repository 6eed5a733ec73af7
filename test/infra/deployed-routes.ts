import * as z from 'zod';
import { deployedStack, resourcesOf } from './deployed-stack.ts';

/** A route of the deployed API: the random part of the webhooks URL is `{random part}`. */
export type DeployedRoute = { readonly key: string; readonly access: 'IAM' | 'the header secret' };

const routeProperties = z.looseObject({ RouteKey: z.unknown(), AuthorizationType: z.string() });
const joined = z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

/** The routes of the synthesized API, by their paths. */
export function deployedRoutes(): readonly DeployedRoute[] {
  return resourcesOf(deployedStack('service'), 'AWS::ApiGatewayV2::Route')
    .map(({ Properties }) => routeProperties.parse(Properties))
    .map(({ RouteKey, AuthorizationType }) => ({
      key: writeKey(RouteKey),
      access: AuthorizationType === 'AWS_IAM' ? ('IAM' as const) : ('the header secret' as const),
    }))
    .toSorted((one, other) => (one.key.split(' ')[1] ?? '').localeCompare(other.key.split(' ')[1] ?? ''));
}

/** What only the deployment knows of a key is the random part of the webhooks URL. */
function writeKey(key: unknown): string {
  const parts = joined.safeParse(key);
  if (!parts.success) return z.string().parse(key);
  return parts.data['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : '{random part}')).join('');
}
