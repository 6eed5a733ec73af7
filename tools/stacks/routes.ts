import type { ReadableResource } from './readable-stack.ts';

/** A route of the deployed API: the random part of the webhooks URL is `{random part}`. */
export type DeployedRoute = { readonly key: string; readonly access: 'IAM' | 'the header secret' };

/** The routes of the API of a service stack, by their paths. */
export function routesIn(service: readonly ReadableResource[]): readonly DeployedRoute[] {
  return service
    .filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route')
    .map(({ Properties: { RouteKey, AuthorizationType } }) => ({
      // What only the deployment knows.
      key: String(RouteKey).replace('<part 2 of <AWS::StackId>>', '{random part}'),
      access: AuthorizationType === 'AWS_IAM' ? ('IAM' as const) : ('the header secret' as const),
    }))
    .toSorted((one, other) => (one.key.split(' ')[1] ?? '').localeCompare(other.key.split(' ')[1] ?? ''));
}
