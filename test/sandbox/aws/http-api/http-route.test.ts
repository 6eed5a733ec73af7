import { describe, expect, it } from 'vitest';
import { matchRoute, parseRoute } from '#sandbox/aws/http-api/http-route.ts';

/** The key of the route that is taken. In both orders of declaration, which must not matter. */
function taken(routeKeys: readonly string[], method: string, path: string): string | undefined {
  const match = (keys: readonly string[]) => matchRoute(keys.map(parseRoute), method, path)?.route.routeKey;
  expect(match(routeKeys.toReversed())).toBe(match(routeKeys));
  return match(routeKeys);
}

function parametersOf(routeKey: string, path: string): unknown {
  return matchRoute([parseRoute(routeKey)], 'GET', path)?.pathParameters;
}

const keys = [
  '$default',
  'GET /{proxy+}',
  'GET /orders/{proxy+}',
  'GET /orders/{id}',
  'GET /{kind}/{id}',
  'GET /orders/new',
];

describe('sandbox aws: the choice among matching routes', () => {
  it.each([
    ['a literal one', '/orders/new', 'GET /orders/new'],
    ['a route with a variable', '/orders/7', 'GET /orders/{id}'],
    ['then one with more variables', '/transfers/7', 'GET /{kind}/{id}'],
    ['then a greedy one, the longer first', '/orders/7/history', 'GET /orders/{proxy+}'],
    ['then a shorter greedy one', '/transfers/7/history', 'GET /{proxy+}'],
    ['then the default', '/', '$default'],
  ])('prefers %s for the path %s', (_, path, routeKey) => {
    expect(taken(keys, 'GET', path)).toBe(routeKey);
  });
});

describe('sandbox aws: the method of a route', () => {
  it('must equal the method of the request, unless the route is for ANY', () => {
    expect(taken(['POST /orders'], 'GET', '/orders')).toBeUndefined();
    expect(taken(['ANY /orders'], 'DELETE', '/orders')).toBe('ANY /orders');
  });

  it('takes precedence over ANY on the same path', () => {
    expect(taken(['ANY /orders', 'GET /orders'], 'GET', '/orders')).toBe('GET /orders');
    expect(taken(['ANY /orders', 'GET /orders'], 'PUT', '/orders')).toBe('ANY /orders');
  });
});

describe('sandbox aws: a path without a route', () => {
  it.each(['/', '/webhooks', '/webhooks/', '/webhooks/A/B', '/Webhooks/A', '/other/A', '//webhooks/A'])(
    'matches no route: %s',
    (path) => {
      expect(taken(['POST /webhooks/{eventType}'], 'POST', path)).toBeUndefined();
    },
  );
});

describe('sandbox aws: a path variable', () => {
  it.each([
    ['is passed by name', 'GET /{kind}/{id}', '/orders/7', { kind: 'orders', id: '7' }],
    ['matches all remaining segments when greedy', 'GET /files/{path+}', '/files/a/b/c', { path: 'a/b/c' }],
    ['is decoded', 'GET /orders/{id}', '/orders/a%20b%C3%BC', { id: 'a bü' }],
    ['is decoded before the path is routed', 'GET /{kind}/{id}', '/orders%2Fa', { kind: 'orders', id: 'a' }],
    ['ends at a ?, encoded or not', 'GET /orders/{id}', '/orders/a%3Fb', { id: 'a' }],
    ['stay encoded when they cannot be decoded', 'GET /orders/{id}', '/orders/100%', { id: '100%' }],
  ])('%s', (_, routeKey, path, parameters) => {
    expect(parametersOf(routeKey, path)).toEqual(parameters);
  });
});
