/**
 * The process of an execution environment: it loads the function, then asks the Lambda Runtime API for one invocation after
 * the other. Lambda's own client for Node compiles C++ when it is installed, so this is a
 * small one. It imports little beyond Node, so that a function starts as fast as on Lambda.
 *
 * @param argv 2: how far the host's time is ahead of the real one, in milliseconds; each invocation updates it
 */
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createRequire, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { importModule } from './import-module.ts';
import { keptMebibytes } from './kept-memory.ts';

type Answer = { readonly headers: Readonly<Record<string, unknown>>; readonly body: string };
type Handler = (event: unknown, context: object) => unknown;

const { AWS_LAMBDA_RUNTIME_API = '', LAMBDA_TASK_ROOT = '', _HANDLER = '' } = process.env;
const runtimeApi = `http://${AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;
const agent = new Agent({ keepAlive: true });
/** Time limits are real. */
const realNow = Date.now;
const setAhead = replaceDate(Number(process.argv[2]));

function call(method: string, path: string, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${runtimeApi}${path}`, { method, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('end', () => resolve({ headers: incoming.headers, body: Buffer.concat(chunks).toString() }));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify({ errorType: 'string', errorMessage: String(error), trace: [] });
  return JSON.stringify({ errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] });
}

/** As Lambda does: an ES module if there is no CommonJS file of the name. */
async function loadHandler(): Promise<Handler> {
  const [file = '', name = ''] = _HANDLER.split('.');
  const path = join(LAMBDA_TASK_ROOT, file);
  const loaded = existsSync(`${path}.js`)
    ? createRequire(`${LAMBDA_TASK_ROOT}/`)(`./${file}`)
    : await importModule(`${path}.mjs`);
  const handler: unknown = loaded[name];
  if (typeof handler !== 'function') throw new Error(`${_HANDLER} is not a function.`);
  return (event, context) => handler(event, context);
}

function contextOf(headers: Answer['headers']): object {
  const deadline = Number(headers['lambda-runtime-deadline-ms']);
  return {
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    functionName: process.env['AWS_LAMBDA_FUNCTION_NAME'],
    functionVersion: process.env['AWS_LAMBDA_FUNCTION_VERSION'],
    memoryLimitInMB: process.env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
    logGroupName: process.env['AWS_LAMBDA_LOG_GROUP_NAME'],
    logStreamName: process.env['AWS_LAMBDA_LOG_STREAM_NAME'],
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadline - realNow(),
  };
}

async function invoke(handler: Handler, { headers, body }: Answer): Promise<void> {
  const path = `/invocation/${headers['lambda-runtime-aws-request-id']}`;
  setAhead(Number(headers['sandbox-clock-ahead-ms']));
  process.env['_X_AMZN_TRACE_ID'] = String(headers['lambda-runtime-trace-id']);
  try {
    const result = await handler(JSON.parse(body), contextOf(headers));
    await call('POST', `${path}/response`, JSON.stringify(result ?? null));
  } catch (error) {
    console.error(describe(error));
    await call('POST', `${path}/error`, describe(error));
  }
}

/** Sets how far `Date` is ahead of the real time, in milliseconds. */
type SetAhead = (milliseconds: number) => void;

/**
 * Gives `Date` of this process another time than the real one; timers stay real. A function then lives in the time
 * of the host, as all that it calls does.
 *
 * @param ahead of the real time, in milliseconds
 */
function replaceDate(ahead: number): SetAhead {
  const RealDate = Date;
  let milliseconds = ahead;
  const now = () => RealDate.now() + milliseconds;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, parts, newTarget) => Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  RealDate.prototype.constructor = globalThis.Date;
  return (next) => {
    milliseconds = next;
  };
}

async function main(): Promise<void> {
  // A scenario measures what the function keeps.
  process.on('message', () => void keptMebibytes().then((size) => process.send?.(size)));
  // As on Lambda, a process ends when its function waits for nothing.
  process.channel?.unref();
  const handler = await Promise.resolve()
    .then(loadHandler)
    .catch(async (error: unknown) => {
      console.error(describe(error));
      await call('POST', '/init/error', describe(error));
      process.exit(1);
    });
  // A process is killed in the end, and Node would write the cache only on its exit.
  flushCompileCache();
  for (;;) await invoke(handler, await call('GET', '/invocation/next'));
}

// The host is gone, or the function broke the process: either way this environment is of no use any more.
main().catch(() => process.exit(1));
