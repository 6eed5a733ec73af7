/**
 * Loads the bundle of a scheduled function and invokes its handler some times, in a process of its own:
 * `job-process.ts <bundle> <invocations> <result>`. It imports next to nothing, because its memory is measured.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { importModule } from '#sandbox/aws/lambda/import-module.ts';

const [, , bundle = '', invocations = '1', result = ''] = process.argv;
const { handler }: { handler: (event: object, context: object) => Promise<unknown> } = bundle.endsWith('.mjs')
  ? await importModule(bundle)
  : createRequire(import.meta.url)(bundle);

/** As long as a walk takes: the bench measures whole walks. */
const context = { getRemainingTimeInMillis: () => 24 * 3_600_000 };

const runs: { readonly wall: number; readonly cpu: number }[] = [];
for (let run = 0; run < Number(invocations); run += 1) {
  const [wall, before] = [performance.now(), process.cpuUsage()];
  await handler({ mode: 'repair' }, context);
  const { user, system } = process.cpuUsage(before);
  runs.push({ wall: performance.now() - wall, cpu: (user + system) / 1_000 });
}
const peakMegabytes = process.resourceUsage().maxRSS / 1_024;
writeFileSync(result, JSON.stringify({ runs, peakMegabytes }));
process.exit();
