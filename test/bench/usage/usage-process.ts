/**
 * Loads a bundle and calls its handler, in a process of its own: `usage-process.ts <bundle> <events> <result>`. The first part of
 * the events warms the function up. It imports next to nothing, because its memory is measured.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { importModule } from '#sandbox/aws/lambda/import-module.ts';

type Events = { readonly warmUp: readonly unknown[]; readonly measured: readonly unknown[] };

const [, , bundle = '', eventsFile = '', result = ''] = process.argv;
const { warmUp, measured }: Events = JSON.parse(readFileSync(eventsFile, 'utf8'));
const context = {
  awsRequestId: 'request',
  functionName: 'bench',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:bench',
  memoryLimitInMB: '1024',
  getRemainingTimeInMillis: () => 30_000,
};
/** In milliseconds. */
const cpuNow = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

type Handler = (event: unknown, context: object, callback: () => void) => Promise<unknown>;

const start = cpuNow();
// As Lambda does: an ES module is awaited, with its top-level await.
const { handler }: { handler: Handler } = bundle.endsWith('.mjs')
  ? await importModule(bundle)
  : createRequire(import.meta.url)(bundle);
const call = async (event: unknown) => {
  const answer = JSON.stringify(await handler(event, context, () => undefined));
  if (answer?.includes('itemIdentifier') || (answer?.includes('statusCode') && !answer.includes('200')))
    throw new Error(`The handler refused a webhook: ${answer}`);
};
const [first, ...others] = warmUp;
await call(first);
const cold = cpuNow() - start;
for (const event of others) await call(event);
const warm = cpuNow();
for (const event of measured) await call(event);
const cpu = (cpuNow() - warm) / Math.max(1, measured.length);
const megabytes = process.resourceUsage().maxRSS / 1_024;
writeFileSync(result, JSON.stringify({ cold, cpu, megabytes }));
process.exit();
