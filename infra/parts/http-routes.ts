import type { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Settings } from '#infra/settings.ts';
import type { DrawbridgeFunction } from './function.ts';

export type Route = { readonly method: HttpMethod; readonly path: string };

/** What a route takes at most, in requests a second. */
export type Throttle = Settings['queryThrottle'];

/** Something that answers routes of the API. */
export type RouteOwner = {
  readonly addRoutes: (api: HttpApi) => void;
  /** By the key of the route, as API Gateway writes it. */
  readonly throttles: ReadonlyMap<string, Throttle>;
};

/** The throttle of each of these routes. */
export function throttleEach(routes: readonly Route[], throttle: Throttle): ReadonlyMap<string, Throttle> {
  return new Map(routes.map(({ method, path }) => [`${method} ${path}`, throttle]));
}

/**
 * Routes that the partner's own systems call, with a signature by IAM credentials. API Gateway checks the signature, and
 * whether the caller may `execute-api:Invoke`.
 */
export function addSignedRoutes(
  api: HttpApi,
  routes: readonly Route[],
  integration: { readonly name: string; readonly of: DrawbridgeFunction },
): void {
  const authorizer = new HttpIamAuthorizer();
  const lambdaIntegration = new HttpLambdaIntegration(integration.name, integration.of.invoked);
  for (const { method, path } of routes)
    api.addRoutes({ path, methods: [method], integration: lambdaIntegration, authorizer });
}
