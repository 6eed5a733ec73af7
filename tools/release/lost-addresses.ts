import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { ReleaseTemplate } from './release-templates.ts';

/** Outputs that are removed, or name another resource. */
export function lostOutputs(before: ReleaseTemplate, after: ReleaseTemplate): readonly string[] {
  return Object.entries(before.Outputs)
    .filter(([, { Export }]) => Export === undefined)
    .flatMap(([name, { Value: old }]) => {
      const now = after.Outputs[name];
      if (now === undefined) return [`Output ${name} is removed: scripts of operators read it, so keep it.`];
      if (isDeepStrictEqual(referencesIn(old), referencesIn(now.Value))) return [];
      return [`Output ${name} is of another resource: your systems have the address that it gave, so keep it.`];
    });
}

const reference = z.union([z.strictObject({ Ref: z.string() }), z.strictObject({ 'Fn::GetAtt': z.unknown() })]);

/** What a value refers to, at any depth, in the order of the value. */
function referencesIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return reference.safeParse(value).success ? [value] : Object.values(value).flatMap(referencesIn);
}

const routeProperties = z.looseObject({
  ApiId: z.unknown(),
  RouteKey: z.unknown(),
  AuthorizationType: z._default(z.unknown(), 'NONE'),
});

/** Routes that are removed, or ask their callers for another authorization. */
export function lostRoutes(before: ReleaseTemplate, after: ReleaseTemplate): readonly string[] {
  const routes = routesOf(after);
  return routesOf(before).flatMap((old) => {
    const name = typeof old.RouteKey === 'string' ? old.RouteKey : JSON.stringify(old.RouteKey);
    const now = routes.find((route) => isDeepStrictEqual([route.ApiId, route.RouteKey], [old.ApiId, old.RouteKey]));
    if (now === undefined) return [`Route ${name} is removed: callers would get 404, so keep it.`];
    if (isDeepStrictEqual(now.AuthorizationType, old.AuthorizationType)) return [];
    return [
      `Route ${name} has the authorization ${now.AuthorizationType}, and had ${old.AuthorizationType}: keep it for its callers.`,
    ];
  });
}

function routesOf({ Resources }: ReleaseTemplate) {
  return Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route')
    .map(({ Properties }) => routeProperties.parse(Properties ?? {}));
}
