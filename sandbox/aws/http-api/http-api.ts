import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FunctionHost, HostedFunction } from '#sandbox/aws/lambda/function-host.ts';
import type { AccessContext } from '#sandbox/aws/logs/service-lines.ts';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { readBody } from '#sandbox/net/server.ts';
import {
  commonLogTime,
  createHttpApiEvent,
  jsonAnswer,
  type LambdaAnswer,
  readFunctionAnswer,
} from './http-api-event.ts';
import { matchRoute, parseRoute } from './http-route.ts';

/** A request to the HTTP API, and its answer. */
export type ApiExchange = {
  readonly method: string;
  /** Percent-encoded, with the query. */
  readonly path: string;
  /** Empty if the request was answered before its body was read. */
  readonly requestBody: Buffer;
  readonly answer: LambdaAnswer;
};

export type HttpApiDeps = {
  readonly functions: FunctionHost;
  readonly newId: () => string;
  /** What an event says that it is. */
  readonly now: () => Date;
  /** In milliseconds: what requests are throttled by. It passes as real time does. */
  readonly elapsed: () => number;
  /** Called with each answer before it is sent. */
  readonly onAnswer?: ((exchange: ApiExchange) => void) | undefined;
  /** Called with what the access log says about each answer. */
  readonly onAccess?: ((context: AccessContext) => void) | undefined;
};

type Api = Pick<Blueprint, 'apis' | 'integrations' | 'routes' | 'stages'>;

type Target = {
  readonly invoke: HostedFunction['invoke'];
  readonly timeout: number;
  readonly admit: (time: number) => boolean;
};

/** In bytes. Beyond the first API Gateway, beyond the second Lambda takes no request. */
const maxBodyBytes = 10 * 1024 * 1024;
const maxPayloadBytes = 6 * 1024 * 1024;

const requestTooLarge = jsonAnswer(413, { message: 'Request Entity Too Large' });

/** Answers as the HTTP API of the stacks does, its `$default` stage. */
export function createHttpApi(api: Api, { functions, newId, now, elapsed, onAnswer, onAccess }: HttpApiDeps) {
  const [only, another] = api.apis;
  if (another !== undefined)
    throw new SandboxError('NOT_HOSTED', `The sandbox hosts one HTTP API, and ${another.path} is a second.`);
  const routes = api.routes.map(({ properties }) => parseRoute(properties.RouteKey));
  const targets = new Map(api.routes.map((route) => [route.properties.RouteKey, openTarget(api, route, functions)]));

  async function answerTo(
    request: IncomingMessage,
    requestId: string,
    onBody: (body: Buffer) => void,
  ): Promise<LambdaAnswer> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const match = matchRoute(routes, request.method ?? '', path);
    const target = match && targets.get(match.route.routeKey);
    if (match === undefined || target === undefined) return jsonAnswer(404, { message: 'Not Found' });
    const time = now();
    if (!target.admit(elapsed())) return jsonAnswer(429, { message: 'Too Many Requests' });
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return requestTooLarge;
    const body = await readBody(request);
    onBody(body);
    const apiId = only?.ref ?? '';
    const payload = JSON.stringify(createHttpApiEvent({ request, body, match, requestId, time, apiId }));
    if (body.length > maxBodyBytes || Buffer.byteLength(payload) > maxPayloadBytes) return requestTooLarge;
    return invoke(target, payload);
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = newId();
    const [begin, requestTime] = [elapsed(), commonLogTime(now())];
    const { method = '', url: path = '/' } = request;
    let requestBody = Buffer.alloc(0);
    const keep = (body: Buffer) => {
      requestBody = Buffer.from(body);
    };
    answerTo(request, requestId, keep)
      .then((answer) => {
        onAnswer?.({ method, path, requestBody, answer });
        onAccess?.({
          requestId,
          requestTime,
          'identity.sourceIp': request.socket.remoteAddress,
          routeKey: matchRoute(routes, method, path.split('?', 1)[0] ?? '/')?.route.routeKey,
          status: answer.status,
          responseLatency: Math.round(elapsed() - begin),
        });
        const { status, headers, body } = answer;
        response.setHeader('apigw-requestid', requestId);
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        response.writeHead(status, { 'content-length': body.length }).end(body);
      })
      .catch(() => response.destroy());
  };
}

async function invoke({ invoke: call, timeout }: Target, payload: string): Promise<LambdaAnswer> {
  const result = await Promise.race([call(payload), after(timeout)]);
  if (result === undefined) return jsonAnswer(503, { message: 'Service Unavailable' });
  const answer = result.error === undefined ? readFunctionAnswer(result.payload) : undefined;
  return answer ?? jsonAnswer(500, { message: 'Internal Server Error' });
}

function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined).unref());
}

function openTarget(api: Api, route: Blueprint['routes'][number], functions: FunctionHost): Target {
  const { RouteKey, Target: target } = route.properties;
  const integration = api.integrations.find(({ ref }) => target === `integrations/${ref}`);
  const host = integration && functions.find(integration.properties.IntegrationUri);
  if (integration === undefined || host === undefined)
    throw new SandboxError('NOT_HOSTED', `The sandbox does not know the target ${target} of the route ${RouteKey}.`);
  return {
    invoke: host.invoke,
    timeout: integration.properties.TimeoutInMillis,
    admit: createThrottle(throttleOf(api.stages, RouteKey)),
  };
}

/** What an account may do if a stage says nothing: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const accountLimits = { rate: 10_000, burst: 5_000 };

function throttleOf(stages: Blueprint['stages'], routeKey: string) {
  const settings = stages.flatMap(({ properties }) => [
    ...(properties.RouteSettings[routeKey] === undefined ? [] : [properties.RouteSettings[routeKey]]),
    properties.DefaultRouteSettings,
  ]);
  return {
    rate: settings.map(({ ThrottlingRateLimit }) => ThrottlingRateLimit).find(isNumber) ?? accountLimits.rate,
    burst: settings.map(({ ThrottlingBurstLimit }) => ThrottlingBurstLimit).find(isNumber) ?? accountLimits.burst,
  };
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined;
}

type ThrottleSettings = {
  /** Requests a second. */
  readonly rate: number;
  /** The number of concurrent requests. */
  readonly burst: number;
};

/** A token bucket, as API Gateway throttles a route. Gives whether a request at this time, in milliseconds, may pass. */
function createThrottle({ rate, burst }: ThrottleSettings): (time: number) => boolean {
  let tokens = burst;
  let filledAt = 0;
  return (time) => {
    tokens = Math.min(burst, tokens + ((time - filledAt) / 1000) * rate);
    filledAt = time;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
