/**
 * Loads a bundle and calls its handler, in a process of its own: `sample-process.ts <bundle> <plan> <result>`. It imports next to
 * nothing, because what it loads, the bundle does not load any more.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { importModule } from '#sandbox/aws/lambda/import-module.ts';

type Answer = { readonly statusCode?: number; readonly batchItemFailures?: readonly unknown[] };
type Handler = (event: unknown, context: object, callback: () => void) => Promise<Answer | undefined>;
type Plan = {
  readonly first: unknown;
  readonly phases: Readonly<Record<string, readonly unknown[]>>;
  readonly warmUp: number;
};

const [, , bundle = '', planFile = '', result = ''] = process.argv;
const { first, phases, warmUp }: Plan = JSON.parse(readFileSync(planFile, 'utf8'));
const context = {
  awsRequestId: 'request',
  functionName: 'bench',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:bench',
  memoryLimitInMB: '1024',
  getRemainingTimeInMillis: () => 30_000,
};

const cpuNow = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const countRequests = async () => Number(await (await fetch(process.env['AWS_ENDPOINT_URL'] ?? '')).text());

let handler: Handler = () => Promise.reject(new Error('The bundle exports no handler.'));
async function call(event: unknown): Promise<void> {
  const { statusCode = 200, batchItemFailures = [] } = (await handler(event, context, () => undefined)) ?? {};
  if (statusCode >= 300 || batchItemFailures.length > 0) throw new Error('The handler refused a call.');
}

const start = performance.now();
// As Lambda does: an ES module is awaited, with its top-level await.
({ handler } = bundle.endsWith('.mjs') ? await importModule(bundle) : createRequire(import.meta.url)(bundle));
const loaded = performance.now();
await call(first);
const answered = performance.now();

const warm: Record<string, object> = {};
for (const [name, events] of Object.entries(phases)) {
  for (const event of events.slice(0, warmUp)) await call(event);
  const requests = await countRequests();
  const cpu = cpuNow();
  for (const event of events.slice(warmUp)) await call(event);
  const cpuMs = cpuNow() - cpu;
  const calls = events.length - warmUp;
  warm[name] = { cpuMs: cpuMs / calls, requests: ((await countRequests()) - requests) / calls };
}
writeFileSync(result, JSON.stringify({ loadMs: loaded - start, firstMs: answered - loaded, warm }));
process.exit();
