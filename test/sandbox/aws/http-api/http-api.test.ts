import { Duration } from 'aws-cdk-lib';
import { CfnStage, HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';

/** Answers what the request's body says, and does what it asks for on the way. */
const obedient = `
  const { setTimeout: wait } = require('node:timers/promises');
  exports.handler = async (event) => {
    console.log(JSON.stringify({ called: event.rawPath }));
    const { answer, failure, milliseconds = 0 } = JSON.parse(event.body ?? '{}');
    await wait(milliseconds);
    console.log(JSON.stringify({ finished: event.rawPath }));
    if (failure === 'exit') process.exit(1);
    if (failure !== undefined) throw new Error(failure);
    return answer ?? { statusCode: 200, body: JSON.stringify({ routeKey: event.routeKey, pathParameters: event.pathParameters }) };
  };`;

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture((stack) => {
    const obey = addFunction(stack, 'Obey', obedient, { timeout: Duration.seconds(20), memorySize: 512 });
    const api = new HttpApi(stack, 'Api', { createDefaultStage: false });
    const integration = new HttpLambdaIntegration('Obey', obey);
    const hasty = new HttpLambdaIntegration('Hasty', obey, { timeout: Duration.millis(200) });
    api.addRoutes({ path: '/orders/{id}', methods: [HttpMethod.POST, HttpMethod.GET], integration });
    api.addRoutes({ path: '/orders/latest', methods: [HttpMethod.GET], integration });
    api.addRoutes({ path: '/hasty', methods: [HttpMethod.POST], integration: hasty });
    api.addRoutes({ path: '/scarce', methods: [HttpMethod.POST], integration });
    new CfnStage(stack, 'Stage', {
      apiId: api.apiId,
      stageName: '$default',
      autoDeploy: true,
      defaultRouteSettings: { throttlingBurstLimit: 100, throttlingRateLimit: 100 },
      routeSettings: { 'POST /scarce': { ThrottlingBurstLimit: 2, ThrottlingRateLimit: 0.001 } },
    });
  });
});
afterAll(() => fixture.close());

function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const all = { 'content-type': 'application/json', ...headers };
  return fetch(`${fixture.host.place.apiOrigin}${path}`, { method: 'POST', body, headers: all });
}

const ask = (path: string, wish: unknown) => post(path, JSON.stringify(wish));

describe('sandbox aws: a request for a route of the HTTP API', () => {
  it('is answered by the function of the route', async () => {
    const answer = await ask('/orders/7', {});
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ routeKey: 'POST /orders/{id}', pathParameters: { id: '7' } });
  });
});

describe('sandbox aws: a request for an unknown route', () => {
  it('is answered with 404, and calls no function', async () => {
    const answer = await post('/elsewhere', '{}');
    expect([answer.status, await answer.json()]).toEqual([404, { message: 'Not Found' }]);
    expect(fixture.written('obey')).not.toContainEqual({ called: '/elsewhere' });
  });
});

describe('sandbox aws: the HTTP answer of a function', () => {
  it('has the status and headers of the function', async () => {
    const headers = { 'content-type': 'text/csv', 'x-order': '7', 'content-length': '1' };
    const answer = await ask('/orders/7', { answer: { statusCode: 418, headers, body: 'a;b' } });
    expect(answer.status).toBe(418);
    expect(answer.headers.get('content-type')).toBe('text/csv');
    expect(answer.headers.get('x-order')).toBe('7');
    expect(await answer.text()).toBe('a;b');
  });
});

describe('sandbox aws: an HTTP request whose function fails', () => {
  it.each([
    ['it throws', { failure: 'no such order' }],
    ['its process ends', { failure: 'exit' }],
    ['its answer is none that API Gateway understands', { answer: { statusCode: 'fine' } }],
  ])('is answered with 500 without the cause: %s', async (_, wish) => {
    const answer = await ask('/orders/7', wish);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ message: 'Internal Server Error' });
  });
});

describe("sandbox aws: an HTTP request whose function exceeds the route's timeout", () => {
  it('is answered with 503 while the function continues', async () => {
    const answer = await ask('/hasty', { milliseconds: 2_000 });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ message: 'Service Unavailable' });
    expect(fixture.written('obey')).not.toContainEqual({ finished: '/hasty' });
    await expect.poll(() => fixture.written('obey'), { timeout: 20_000 }).toContainEqual({ finished: '/hasty' });
  });
});

describe('sandbox aws: an HTTP request with an oversized body', () => {
  const megabyte = 1024 * 1024;
  const tooLarge = { message: 'Request Entity Too Large' };

  it.each([
    ['for API Gateway: more than 10 MB', 10 * megabyte + 1, 'application/json'],
    ['for Lambda: an event of more than 6 MB', 6 * megabyte, 'application/json'],
    ['for Lambda: more than 6 MB in base64', 5 * megabyte, 'application/octet-stream'],
  ])('is rejected with 413 %s', async (_, size, contentType) => {
    const answer = await post('/orders/large', Buffer.alloc(size, 'a'), { 'content-type': contentType });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual(tooLarge);
  });
});

describe('sandbox aws: a throttled route', () => {
  it('answers with 429 beyond its burst, and does not throttle other routes', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask('/scarce', {})));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429]);
    const refused = await ask('/scarce', {});
    expect(await refused.json()).toEqual({ message: 'Too Many Requests' });
    expect((await ask('/orders/7', {})).status).toBe(200);
  });
});
