import { Agent, request } from 'node:http';
import * as z from 'zod';
import { readBody, singleHeaders } from '#sandbox/net/server.ts';
import { plainIssues } from '#shared/plain-message.ts';

/** One call of an AWS API, as it came over HTTP. */
export type AwsCall = {
  /** For example `PutItem`. */
  readonly operation: string;
  /** Which function called, by its name; undefined for any other caller. */
  readonly caller: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** What is asked for, parsed. */
  readonly input: () => unknown;
};

export type AwsAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
};

/** The one interface of all emulators, those from npm and our own. */
export type AwsService = {
  readonly handle: (call: AwsCall) => Promise<AwsAnswer>;
  readonly close: () => Promise<void>;
};

export type AwsServices = {
  readonly dynamodb: AwsService;
  readonly sqs: AwsService;
  readonly secretsManager: AwsService;
  readonly eventBridge: AwsService;
  readonly lambda: AwsService;
  readonly cloudFormation: AwsService;
  readonly logs: AwsService;
  readonly cloudWatch: AwsService;
  readonly scheduler: AwsService;
};

/** An error that the AWS API answers with, by the name that the SDK knows it by. */
export class AwsServiceError extends Error {
  override readonly name = 'AwsServiceError';
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/**
 * Passes calls on to an emulator that listens on a port of its own, over connections that stay open. Fetch takes much more CPU time for
 * it, which counts if a page takes hundreds of calls.
 */
export function forwardTo(origin: string, close: () => Promise<void>): AwsService {
  const agent = new Agent({ keepAlive: true });
  return {
    close: () => {
      agent.destroy();
      return close();
    },
    handle: ({ headers, body }) =>
      new Promise((resolve, reject) => {
        const options = { method: 'POST', agent, headers: { ...forwarded(headers), 'content-length': body.length } };
        const sent = request(origin, options, (response) => {
          const { statusCode: status = 0, headers: answered } = response;
          const resolveWith = (content: Buffer) =>
            resolve({ status, headers: forwarded(singleHeaders(answered)), body: content });
          readBody(response).then(resolveWith, reject);
        });
        sent.on('error', reject);
        sent.end(body);
      }),
  };
}

/** Headers of one connection, which the next connection sets itself. */
const hopByHop = new Set(['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding']);

/** The headers without those of one connection. */
export function forwarded(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));
}

/** Of an API, by their names: each takes the parsed input and gives the output. */
export type Operations = Readonly<Record<string, (input: unknown) => unknown>>;

/** A small server of our own: one function per operation, which takes the parsed input and gives the output. */
export function serve(operations: Operations): AwsService {
  return {
    close: () => Promise.resolve(),
    handle: async ({ operation, input }) => {
      const perform = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
      if (perform === undefined)
        return failure(new AwsServiceError('UnknownOperationException', `No ${operation} here.`));
      try {
        return json(200, await perform(input()));
      } catch (error) {
        if (error instanceof AwsServiceError) return failure(error);
        if (error instanceof z.ZodError)
          return failure(new AwsServiceError('ValidationException', plainIssues(error.issues, input()).join('; ')));
        throw error;
      }
    },
  };
}

/** How an AWS API answers with an error. */
export function failure({ type, message }: AwsServiceError): AwsAnswer {
  return json(400, { __type: type, message });
}

function json(status: number, output: unknown): AwsAnswer {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: JSON.stringify(output) };
}
