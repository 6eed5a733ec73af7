import { describe, expect, it } from 'vitest';
import { arnOf, type Deployed, deployedStack, refTo, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';

const service = deployedStack('service');
const query = theResource(service, 'AWS::Lambda::Function', 'Query');
const api = theResource(service, 'AWS::ApiGatewayV2::Api');
const routes = new Map(
  resourcesOf(service, 'AWS::ApiGatewayV2::Route').map((route) => [String(route.Properties.RouteKey), route]),
);
const queries = [
  'GET /entities/{kind}',
  'GET /entities/{kind}/{id}',
  'GET /entities/{kind}/{id}/timeline',
  'GET /events',
  'GET /events/{eventId}',
  'GET /events/{eventId}/body',
  'GET /quarantine',
];

function integrationOf(route: Deployed | undefined): Deployed | undefined {
  return resourcesOf(service, 'AWS::ApiGatewayV2::Integration').find(
    (integration) =>
      JSON.stringify(route?.Properties.Target) ===
      JSON.stringify({ 'Fn::Join': ['', ['integrations/', refTo(integration)]] }),
  );
}

describe('the routes of the query API', () => {
  it.each(queries)('authorize %s by IAM', (routeKey) => {
    const route = routes.get(routeKey);
    expect(route?.Properties).toMatchObject({ ApiId: refTo(api), AuthorizationType: 'AWS_IAM' });
    expect(integrationOf(route)?.Properties).toMatchObject({
      IntegrationUri: arnOf(query),
      PayloadFormatVersion: '2.0',
    });
  });

  it('are not open, unlike the route of the webhooks', () => {
    const open = [...routes.entries()].filter(([, { Properties }]) => Properties.AuthorizationType !== 'AWS_IAM');
    expect(open.map(([, { id }]) => id)).toEqual([
      theResource(service, 'AWS::ApiGatewayV2::Route', 'WebhooksRoute').id,
    ]);
    expect(open[0]?.[1].Properties).toMatchObject({ AuthorizationType: 'NONE' });
  });

  it('are the only ones that may invoke the function', () => {
    const permissions = resourcesOf(service, 'AWS::Lambda::Permission')
      .map(({ Properties }) => Properties)
      .filter(({ FunctionName }) => JSON.stringify(FunctionName) === JSON.stringify(arnOf(query)));
    expect(permissions).toHaveLength(queries.length);
    for (const { Principal, SourceArn } of permissions) {
      expect(Principal).toBe('apigateway.amazonaws.com');
      expect(JSON.stringify(SourceArn)).toContain(JSON.stringify(refTo(api)));
    }
  });
});

describe('the throttling of the query API', () => {
  const { Properties, DependsOn } = theResource(service, 'AWS::ApiGatewayV2::Stage');

  it('throttles each route separately from the webhooks', () => {
    const throttle = { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200, DetailedMetricsEnabled: true };
    expect(Properties.RouteSettings).toMatchObject(Object.fromEntries(queries.map((routeKey) => [routeKey, throttle])));
  });

  it('belongs to a stage that is created after the routes', () => {
    expect(DependsOn).toEqual(expect.arrayContaining([...routes.values()].map(({ id }) => id)));
  });
});
