import * as z from 'zod';
import { replaceGenerated } from '#docs/generate/generated.ts';
import { writeTable } from '#docs/generate/write-table.ts';
import type { ReadableResource } from '#test/infra/stacks/readable-stack.ts';

const throttle = z.looseObject({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() });
const stage = z.looseObject({ DefaultRouteSettings: throttle, RouteSettings: z.record(z.string(), throttle) });

/** `docs/reference/api.md` with the table of the deployed routes: those with the same access and throttle together. */
export function writeApiPage(page: string, service: readonly ReadableResource[]): string {
  const resource = service.find(({ Type }) => Type === 'AWS::ApiGatewayV2::Stage');
  const { DefaultRouteSettings, RouteSettings } = stage.parse(resource?.Properties);
  const groups = Map.groupBy(routesIn(service), ({ key, access }) => {
    const { ThrottlingRateLimit, ThrottlingBurstLimit } = RouteSettings[key] ?? DefaultRouteSettings;
    return `${access}|${ThrottlingRateLimit}, ${ThrottlingBurstLimit}`;
  });
  const rows = [...groups].map(([group, routes]) => [
    routes.map(({ key }) => `\`${key}\``).join('<br>'),
    ...group.split('|'),
  ]);
  const table = writeTable(['Routes', 'Access', 'Throttle: rate, burst'], rows);
  return replaceGenerated(page, 'routes', table);
}

/** A route of the deployed API: the random part of the webhooks URL is `{random part}`. */
type DeployedRoute = { readonly key: string; readonly access: 'IAM' | 'the header secret' };

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
