import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

/** In milliseconds: on the clock, and of the CPU. */
const taken = z.object({ wall: z.number(), cpu: z.number() });

const sample = z.object({ load: taken, first: taken, warm: z.record(z.string(), taken) });

export type Sample = z.infer<typeof sample>;

/** Calls of one kind. The first of them are not measured. */
export type Phase = { readonly name: string; readonly events: readonly unknown[]; readonly warmUp: number };

/** What a process does: its first call, then phases of further calls. */
export type Plan = { readonly first: unknown; readonly phases: readonly Phase[] };

const run = promisify(execFile);

/** Loads the bundle in a new process, and calls its handler by the plan. @throws when the handler refuses a call */
export async function runSample(
  bundle: string,
  plan: Plan,
  { directory, env }: { readonly directory: string; readonly env: Readonly<Record<string, string>> },
): Promise<Sample> {
  const [planFile, resultFile] = [join(directory, 'plan.json'), join(directory, 'result.json')];
  writeFileSync(planFile, JSON.stringify(plan));
  const script = join(import.meta.dirname, 'sample-process.ts');
  await run(process.execPath, [script, bundle, planFile, resultFile], { env, maxBuffer: 1_000_000_000 });
  return sample.parse(JSON.parse(readFileSync(resultFile, 'utf8')));
}
