import { realpathSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { accessKeyOf } from '#sandbox/aws/aws-endpoint.ts';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { listen, readBody } from '#sandbox/net/server.ts';
import { type InvocationResult, timeoutErrorType } from './execution-environment.ts';
import { FunctionPool } from './function-pool.ts';
import { continueTrace, isRecursive } from './lineage.ts';

/** A function of the stacks, as it can be called on the laptop. */
export type HostedFunction = {
  readonly name: string;
  readonly arn: string;
  readonly timeoutSeconds: number;
  /** @param causes the trace headers of the calls and messages that the invocation is for; without any, a chain begins */
  readonly invoke: (payload: string, causes?: readonly (string | undefined)[]) => Promise<InvocationResult>;
  /**
   * Whether Lambda stops the function, because its chain of requests has run it too often. Each stop is reported.
   *
   * @param source what would invoke it: the name of a queue or a function
   */
  readonly stopsRecursion: (cause: string | undefined, source: string) => boolean;
  /** The folder with its code. Two functions with equal code have the same one. */
  readonly codeFolder: string;
  /** Has later invocations load the code again. Those that run now end with the code that they have. */
  readonly renew: () => void;
  /** Kills every process of the function immediately, as a crash does. */
  readonly kill: () => void;
  /** The ids of its processes that have loaded the function. */
  readonly pids: () => readonly number[];
  /** What each of these processes keeps in memory after it has collected its garbage, in MiB. */
  readonly keptMebibytes: () => Promise<readonly number[]>;
};

export type FunctionHost = {
  readonly functions: readonly HostedFunction[];
  /** By its ARN, its name on AWS, or its short name on the laptop. */
  readonly find: (id: string) => HostedFunction | undefined;
  /** The environment of a function's processes, by what `find` takes. Empty if there is no such function. */
  readonly environment: (id: string) => Readonly<Record<string, string>>;
  /** The value of a variable, if a function has it. */
  readonly variable: (name: string) => string | undefined;
  /** Gives every function a variable, as a deployment does. What runs at the time ends first. */
  readonly setVariable: (name: string, value: string) => void;
  /** Whether no function runs, or is to run. */
  readonly isIdle: () => boolean;
  readonly close: () => Promise<void>;
};

export type FunctionHostDeps = {
  readonly place: Place;
  /** Where the files of an asset are, by its S3 key. */
  readonly assetDirectory: (s3Key: string) => string | undefined;
  readonly newId: () => string;
  /** How far the time of the functions is ahead of the real one, in milliseconds. */
  readonly clockAhead: () => number;
  readonly onLog: (functionName: string, line: string) => void;
  /** Called after each invocation. */
  readonly onInvoked?: (invoked: Invoked) => void;
  readonly onRecursion?: (recursion: Recursion) => void;
};

/** An invocation of a function that has ended. */
export type Invoked = {
  /** What the service calls the function. */
  readonly functionName: string;
  readonly isError: boolean;
  /** Whether the function exceeded its time limit. */
  readonly isTimeout: boolean;
  readonly milliseconds: number;
};

/** An invocation that Lambda stops, because its chain of requests has run the function too often. */
export type Recursion = {
  readonly name: string;
  readonly functionName: string;
  readonly source: string;
  /** The trace header of the chain. */
  readonly chain: string;
};

/** On two cores, more processes of a function do not make it faster. What is beyond waits. */
const maxEnvironments = 4;

type Hosted = HostedFunction & { readonly physicalName: string; readonly pool: FunctionPool };

/** Runs each function in processes of its own over the Lambda Runtime API. */
export async function startFunctionHost(
  declared: Blueprint['functions'],
  {
    place,
    assetDirectory,
    newId,
    clockAhead,
    onLog,
    onInvoked = () => undefined,
    onRecursion = () => undefined,
  }: FunctionHostDeps,
): Promise<FunctionHost> {
  const server = await listen((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  let running = 0;
  const functions = declared.map(host);

  function host({ name, arn, path, physicalName, properties }: Blueprint['functions'][number]): Hosted {
    const taskRoot = codeOf(properties.Code.S3Key, path);
    const pool = new FunctionPool({
      functionArn: arn,
      taskRoot,
      variables: {
        ...properties.Environment.Variables,
        ...lambdaVariables(place, physicalName, name, properties),
        AWS_LAMBDA_RUNTIME_API: server.origin.replace('http://', ''),
        LAMBDA_TASK_ROOT: taskRoot,
        // Every further process of a function compiles nothing again.
        NODE_COMPILE_CACHE: join(dirname(taskRoot), 'compile-cache'),
      },
      memoryMegabytes: properties.MemorySize,
      timeoutSeconds: properties.Timeout,
      maxEnvironments: Math.min(properties.ReservedConcurrentExecutions ?? maxEnvironments, maxEnvironments),
      newId,
      clockAhead,
      onLog: (line) => onLog(name, line),
    });
    return {
      name,
      arn,
      timeoutSeconds: properties.Timeout,
      physicalName,
      pool,
      invoke: async (payload, causes = []) => {
        const begin = performance.now();
        running += 1;
        const result = await pool.invoke(payload, continueTrace(causes, arn, newId));
        running -= 1;
        onInvoked({
          functionName: physicalName,
          isError: result.error !== undefined,
          isTimeout: result.error?.errorType === timeoutErrorType,
          milliseconds: performance.now() - begin,
        });
        return result;
      },
      stopsRecursion: (cause, source) => {
        if (!isRecursive(cause, arn)) return false;
        onRecursion({ name, functionName: physicalName, source, chain: cause ?? '' });
        return true;
      },
      codeFolder: taskRoot,
      renew: () => pool.renew(),
      kill: () => pool.kill(),
      pids: () => pool.pids(),
      keptMebibytes: () => pool.keptMebibytes(),
    };
  }

  function codeOf(s3Key: string, path: string): string {
    const directory = assetDirectory(s3Key);
    // Node keeps compiled code by the real path.
    if (directory !== undefined) return realpathSync(directory);
    throw new SandboxError('NOT_HOSTED', `The sandbox does not find the code of ${path}: synthesize again.`);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, id = '', ...path] = (request.url ?? '').split('/');
    const environment = functions.map(({ pool }) => pool.environment(id)).find((candidate) => candidate !== undefined);
    const [, , kind, requestId = '', outcome] = path;
    if (environment === undefined) {
      response.writeHead(404).end();
    } else if (kind === 'invocation' && requestId === 'next') {
      environment.next(response);
    } else {
      const body = (await readBody(request)).toString();
      response.writeHead(202).end();
      if (kind === 'init') environment.failInit(functionError.parse(JSON.parse(body)));
      else if (outcome === 'response') environment.finish(requestId, { payload: body });
      else environment.finish(requestId, { error: functionError.parse(JSON.parse(body)) });
    }
  }

  const find = (id: string) => functions.find(({ arn, physicalName, name }) => [arn, physicalName, name].includes(id));
  return {
    functions,
    find,
    environment: (id) => find(id)?.pool.variables ?? {},
    variable: (name) => functions.map(({ pool }) => pool.variables[name]).find((value) => value !== undefined),
    setVariable: (name, value) => {
      for (const { pool } of functions) pool.setVariable(name, value);
    },
    isIdle: () => running === 0,
    close: async () => {
      await Promise.all(functions.map(({ pool }) => pool.close()));
      await server.close();
    },
  };
}

const functionError = z.object({ errorType: z.string(), errorMessage: z.string() });

/** What Lambda sets, and where the SDK finds the emulators. The SDK would read a profile of the developer, so it gets empty files. */
function lambdaVariables(
  { region, awsOrigin }: Place,
  physicalName: string,
  name: string,
  { Handler, MemorySize }: Blueprint['functions'][number]['properties'],
): Record<string, string> {
  return {
    _HANDLER: Handler,
    AWS_ACCESS_KEY_ID: accessKeyOf(name),
    AWS_CONFIG_FILE: devNull,
    AWS_DEFAULT_REGION: region,
    AWS_ENDPOINT_URL: awsOrigin,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize),
    AWS_LAMBDA_FUNCTION_NAME: physicalName,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: 'JSON',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${physicalName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'sandbox',
    AWS_REGION: region,
    AWS_SECRET_ACCESS_KEY: 'sandbox',
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
  };
}
