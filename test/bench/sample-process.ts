/**
 * Loads a bundle and calls its handler, in a process of its own: `sample-process.ts <bundle> <plan> <result>`. It imports next to
 * nothing, because what it loads, the bundle does not load any more.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { importModule } from '#sandbox/aws/lambda/import-module.ts';

type Handler = (event: unknown, context: object, callback: () => void) => Promise<unknown>;
type Phase = { readonly name: string; readonly events: readonly unknown[]; readonly warmUp: number };

const [, , bundle = '', plan = '', result = ''] = process.argv;
const { first, phases }: { first: unknown; phases: readonly Phase[] } = JSON.parse(readFileSync(plan, 'utf8'));
const require = createRequire(import.meta.url);
const context = {
  awsRequestId: 'request',
  functionName: 'bench',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:bench',
  memoryLimitInMB: '1024',
  getRemainingTimeInMillis: () => 30_000,
};

/** In milliseconds. */
type Taken = { readonly wall: number; readonly cpu: number };

const cpuNow = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

async function timed(work: () => unknown): Promise<Taken> {
  const [wall, cpu] = [performance.now(), cpuNow()];
  await work();
  return { wall: performance.now() - wall, cpu: cpuNow() - cpu };
}

function checkAnswer(answer: unknown): void {
  const { statusCode = 200, batchItemFailures = [] } = (answer ?? {}) as {
    statusCode?: number;
    batchItemFailures?: unknown[];
  };
  if (statusCode >= 300 || batchItemFailures.length > 0)
    throw new Error(`The handler refused a call: ${JSON.stringify(answer)}`);
}

let handler: Handler = () => Promise.reject(new Error('The bundle exports no handler.'));
const call = async (event: unknown) => checkAnswer(await handler(event, context, () => undefined));

// As Lambda does: an ES module is awaited, with its top-level await.
const load = await timed(async () => {
  ({ handler } = bundle.endsWith('.mjs') ? await importModule(bundle) : require(bundle));
});
const firstCall = await timed(() => call(first));
const warm: Record<string, Taken> = {};
for (const { name, events, warmUp } of phases) {
  for (const event of events.slice(0, warmUp)) await call(event);
  const measured = events.slice(warmUp);
  const walls: number[] = [];
  const { cpu } = await timed(async () => {
    for (const event of measured) walls.push((await timed(() => call(event))).wall);
  });
  const wall = walls.toSorted((one, other) => one - other)[Math.floor(walls.length / 2)] ?? 0;
  warm[name] = { wall, cpu: cpu / Math.max(1, measured.length) };
}
writeFileSync(result, JSON.stringify({ load, first: firstCall, warm }));
process.exit();
