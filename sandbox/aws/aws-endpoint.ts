import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Listening, listen, readBody, singleHeaders } from '#sandbox/net/server.ts';
import type { Authorize } from './permissions/authorize.ts';
import { type ReadCall, readCall, type UnknownCall } from './read-call.ts';
import { type AwsAnswer, type AwsCall, AwsServiceError, type AwsServices, failure } from './services/aws-service.ts';
import { queryFailure } from './services/query-protocol.ts';

/** A moment of an AWS call at which a test can observe, wait, or break something. */
export type AwsCallMoment = {
  /** Before the service has seen the call, or after it has done it and before the caller knows. */
  readonly when: 'before' | 'after';
  readonly service: keyof AwsServices;
  readonly operation: string;
  readonly caller: string | undefined;
  /** What signed the call. */
  readonly accessKeyId?: string | undefined;
  /** What was asked for, parsed. */
  readonly input: () => unknown;
};

export type AwsEndpoint = Listening & {
  /** Answers from now on, functions only what they are allowed. */
  readonly serve: (services: Partial<AwsServices>, authorize: Authorize) => void;
};

export type AwsEndpointDeps = {
  /** Is awaited at each moment; a throw breaks the connection there. */
  readonly onCall?: ((moment: AwsCallMoment) => Promise<void> | void) | undefined;
  /** When answers are dated; by the real time unless given. */
  readonly now?: () => Date;
  /** Whether it answers at the name by which containers call this machine. */
  readonly answersContainers?: boolean | undefined;
};

/** The one origin of all AWS APIs. */
export async function startAwsEndpoint({
  onCall = () => undefined,
  now = () => new Date(),
  answersContainers,
}: AwsEndpointDeps): Promise<AwsEndpoint> {
  let served: { readonly services: Partial<AwsServices>; readonly authorize: Authorize } | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const read = readCall(request, body);
    const serving = 'unknown' in read ? undefined : served?.services[read.service];
    if ('unknown' in read || served === undefined || serving === undefined) {
      const { status, headers, body: refusal } = unknownService(read);
      response.writeHead(status, headers).end(refusal);
      return;
    }
    const { service, operation, input } = read;
    const call: AwsCall = {
      operation,
      caller: callerOf(request),
      headers: singleHeaders(request.headers),
      body,
      input,
    };
    const moment = { service, operation, caller: call.caller, accessKeyId: accessKeyIdOf(request), input };
    await onCall({ when: 'before', ...moment });
    const { authorize } = served;
    const denial = denialOf(() => {
      if (call.caller !== undefined) authorize({ service, operation, caller: call.caller, input: input() });
    });
    const { status, headers, body: output } = denial ?? (await serving.handle(call));
    await onCall({ when: 'after', ...moment });
    // The SDK takes any other date for a clock that is wrong: it would send again what was refused.
    response.writeHead(status, { ...headers, date: now().toUTCString() }).end(output);
  }

  const listening = await listen(
    (request, response) => {
      answer(request, response).catch(() => response.destroy());
    },
    0,
    answersContainers,
  );
  return {
    ...listening,
    serve: (services, authorize) => {
      served = { services, authorize };
    },
  };
}

/** In the protocol of the call, so that an SDK shows it and does not send the call again. */
function unknownService(read: ReadCall | UnknownCall): AwsAnswer {
  const message = `The sandbox has no AWS service ${'unknown' in read ? read.unknown : read.service}.`;
  const isQuery = 'unknown' in read ? read.isQuery : read.service === 'cloudFormation';
  return isQuery ? queryFailure('InvalidAction', message) : failure(new AwsServiceError('UnknownService', message));
}

/** The answer to a call that is not allowed; undefined if it is. */
function denialOf(check: () => void): AwsAnswer | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof AwsServiceError) return failure(error);
    throw error;
  }
}

/** Each function signs with an access key of its own, made of its name. */
export function accessKeyOf(functionName: string): string {
  return `sandbox.${functionName}`;
}

function accessKeyIdOf(request: IncomingMessage): string | undefined {
  return /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1];
}

function callerOf(request: IncomingMessage): string | undefined {
  return /Credential=sandbox\.([^/]+)\//.exec(request.headers.authorization ?? '')?.[1];
}
