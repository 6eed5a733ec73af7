import * as z from 'zod';

/** What `node --cpu-prof` writes: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
export const cpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

export type CpuProfile = z.infer<typeof cpuProfile>;

/** Parts that are neither a package nor a module of Node. */
export const nativeCode = 'native code of Node and V8';
export const garbageCollection = 'garbage collection';

type Frame = CpuProfile['nodes'][number]['callFrame'];

/** Milliseconds by the part of the code in which they were spent. */
export type SelfTimes = Readonly<Record<string, number>>;

/** Node's own modules, by what they are for. The first that fits counts. */
const builtins = [
  [
    /^node:(_http|https?|net|_?tls|internal\/(http|net|stream|js_stream|tls)|stream|events|_stream|dns|internal\/dns)/,
    'Node: HTTP and sockets',
  ],
  [/^node:(crypto|internal\/crypto|zlib)/, 'Node: crypto and zlib'],
  [/^node:internal\/(modules|bootstrap|main|process)/, 'Node: start and loading of modules'],
  [/^node:/, 'Node: other modules'],
] as const;

/** The time of each part itself, without what it calls. Idle time is left out. @param bundle its text, not minified */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile, bundle: string): SelfTimes {
  const packageAt = packagesOf(bundle);
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame, packageAt)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const part = parts.get(id);
    if (part !== undefined) times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
  }
  return Object.fromEntries(times);
}

function partOf({ functionName, url, lineNumber }: Frame, packageAt: (line: number) => string): string | undefined {
  if (functionName === '(idle)' || functionName === '(root)') return undefined;
  if (functionName === '(garbage collector)') return garbageCollection;
  if (url.endsWith('/function.cjs')) return packageAt(lineNumber);
  const [, builtin = nativeCode] = builtins.find(([pattern]) => pattern.test(url)) ?? [];
  return builtin;
}

/** esbuild writes the path of each module into a comment before its code. */
function packagesOf(bundle: string): (line: number) => string {
  const byLine: string[] = [];
  let current = 'esbuild';
  for (const line of bundle.split('\n')) {
    const [, path] = /^ *\/\/ ([\w@./-]+\.(?:[cm]?[jt]s|json))$/.exec(line) ?? [];
    if (path !== undefined) current = packageOf(path);
    byLine.push(current);
  }
  return (line) => byLine[line] ?? current;
}

function packageOf(path: string): string {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(path) ?? [];
  if (name !== undefined) return name;
  return path.startsWith('shared/aws/client/') ? 'Drawbridge: clients of AWS' : 'Drawbridge: the rest';
}
