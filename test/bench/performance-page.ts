import { drawBars } from '#sandbox/report/charts.ts';
import { type Measure, measures } from './measures.ts';
import { type Compared, compared } from './peers.ts';
import { type BenchResult, formatResult } from './report.ts';
import { spreadOf } from './statistics.ts';

/** How and where a run was made. */
export type RunConditions = {
  readonly machine: string;
  /** Of Node. */
  readonly node: string;
  /** The load average of one minute. */
  readonly load: { readonly start: number; readonly end: number };
};

export type PageSection = {
  /** In Markdown. */
  readonly text: string;
  /** What is written besides the page, by its path. */
  readonly files: readonly (readonly [path: string, content: string])[];
};

/** The measures with a chart, by the name that their file has. */
const charted = { cold: 'load and first call, above an empty handler', warm: 'warm CPU' } as const;

/** What a run of the peers says, and its charts. */
export function peersSection(
  result: BenchResult,
  { rounds, calls }: { readonly rounds: number; readonly calls: number },
  conditions: RunConditions,
): PageSection {
  const charts = compared.flatMap((of) =>
    Object.entries(charted).map(([name, text]) => [`bench-${of}-${name}.svg`, chartOf(result, of, text)] as const),
  );
  const images = charts.map(([file]) => `![${titleOf(file)}](images/${file})`).join('\n\n');
  const text = `## receive and store

The reference is middy with Powertools (logger, metrics, batch, idempotency) as AWS documents it. Other peers are Hono and Express with their adapters,
and a bare handler without checks. Each peer but the bare one authenticates, checks, stores and publishes the same. All use the same stub servers of
SQS, DynamoDB, EventBridge and Secrets Manager over HTTP, on the same machine.

Each figure is the median of ${rounds} rounds, with the lowest and the highest. A round measures every peer in a new process, one after the other.
Warm figures are of ${calls} calls. ${formatConditions(conditions)}

${images}

${formatResult(result)}

### What differs

- The peers are bundled by the same options of esbuild. They use the SDK, and the bundles of Drawbridge have clients of their own.
- \`receive\` reads the secret and runs a made-up webhook while it loads. That time is in its load, not in its first call.
- Powertools keeps a record of idempotency for each event. \`store\` needs none: the event itself is written under a condition. The duplicates of
  Powertools are not counted as deliveries, those of \`store\` are. [A duplicate in store](#a-duplicate-in-store) says why its targets are missed.
- The stub servers are on the same machine, so the figures on the clock have no network in them.
`;
  return { text, files: charts.map(([file, svg]) => [`docs/images/${file}`, svg] as const) };
}

/** The sections of the page, in their order. */
export const parts = ['peers', 'starts', 'profiles', 'jobs', 'laptop', 'usage'] as const;

export type Part = (typeof parts)[number];

/** The page with new sections: those that a run did not measure stay as they are. */
export function performancePage(before: string, sections: Readonly<Partial<Record<Part, string>>>): string {
  const kept = (part: Part) => before.split(beginOf(part))[1]?.split(endOfPart)[0]?.trim() ?? '';
  const texts = parts.map((part) => `${beginOf(part)}\n${sections[part] ?? kept(part)}\n${endOfPart}`);
  return `${head}\n${texts.join('\n\n')}\n`;
}

const beginOf = (part: Part) => `<!-- npm run bench -- --part ${part} --save -->`;
const endOfPart = '<!-- end of the part -->';

const head = `<!-- Generated: npm run bench -- --save -->

# Performance

*For engineers who decide between Drawbridge and functions of their own, and for contributors who change a function.*

\`npm run bench\` measures the functions as they are deployed, over stub servers on the same machine. **Read the ratios, not the milliseconds**: this is not
Lambda. Where the load is above the number of processors, trust only what CPU time says.
`;

/** Where and under what load a part was measured. */
export function formatConditions({ machine, node, load }: RunConditions): string {
  return `The machine: ${machine}, Node ${node}. Its load average was ${load.start.toFixed(1)} at the start and ${load.end.toFixed(1)} at the end, with other work.`;
}

function chartOf(result: BenchResult, of: Compared, text: string): string {
  const measure = measures[of].find(({ name }) => name.endsWith(text));
  if (measure === undefined) throw new RangeError(`Nothing is measured as "${text}" for ${of}.`);
  const bars = result.peers[of].map(({ peer, samples }) => [peer.name, medianOf(measure, samples, result)] as const);
  return drawBars(bars, measure.unit).toString();
}

function medianOf({ of }: Measure, samples: BenchResult['empty'], { empty }: BenchResult): number {
  return spreadOf(samples.map((sample, round) => of(sample, empty[round] ?? sample))).median;
}

function titleOf(file: string): string {
  const [, of = '', name = ''] = /^bench-(\w+)-(\w+)\.svg$/.exec(file) ?? [];
  return `${of}: ${name === 'cold' ? charted.cold : charted.warm} (ms)`;
}
