import { compared, reference } from '#test/bench/peers.ts';
import { formatConditions, type RunConditions } from '#test/bench/performance-page.ts';
import { garbageCollection, nativeCode, type SelfTimes } from './cpu-profile.ts';
import { ofDuplicates, type Profiles, profiledCalls, variants } from './profile-bench.ts';

/** Parts with less in each column are summed up. In milliseconds. */
const minShown = { cold: 0.5, warm: 0.01 } as const;

const kinds = ['cold', 'warm'] as const;
const titles = {
  receive: { cold: 'load and first webhook', warm: 'a warm webhook' },
  store: { cold: 'load and first record', warm: 'a warm record, in a batch of one' },
} as const;

/** The profiles as tables. */
export function formatProfiles({ functions, duplicates }: Profiles): string {
  const ofFunctions = compared.flatMap((of) =>
    kinds.map((kind) => {
      const columns = variants.map((variant) => functions[of][variant][kind]);
      return `### Profile of ${of}: ${titles[of][kind]}\n\n${tableOf(variants, columns, kind)}`;
    }),
  );
  return [...ofFunctions, formatDuplicates(duplicates)].join('\n\n');
}

function formatDuplicates(duplicates: Profiles['duplicates']): string {
  const [own, other] = [duplicates['as deployed'], duplicates[reference]];
  return `### A duplicate in store

A warm duplicate in a batch of one takes \`store\` three requests: it counts the delivery, reads the entity, and publishes the change again.
An attempt before may have failed after its write. The reference takes two: it asks for its record of idempotency, and reads it. It counts no delivery.
Node and V8 themselves take ${shareOfNode(own)} % of the time of \`store\`. If its own code took no time at all, the ratio would still be ${(timesOfNode(own) / sumOf(other)).toFixed(2)}.

${tableOf(ofDuplicates, [own, other], 'warm')}`;
}

/** The section of the page. */
export function profilesSection(profiles: Profiles, conditions: RunConditions): string {
  return `## Where the time goes

Milliseconds of each part itself, by \`node --cpu-prof\`, before and after the clients of the SDK left the bundles
([0370](decisions/0370-our-own-clients-stand-in-for-the-sdk.md)). Both are profiled without minifying. Warm figures are of ${profiledCalls.receive} webhooks, ${profiledCalls.store} fresh records and ${profiledCalls.duplicates} duplicates, less the
cold ones. Cold figures are the fastest of five runs, and include the start of Node, which the columns share. A profiler slows down what it measures:
compare the columns with each other. ${formatConditions(conditions)}

Node and V8 themselves take ${shareOfNode(profiles.functions.receive['as deployed'].warm)} % of a warm webhook as deployed: the request to SQS, the signature and the compression. That is how near
\`receive\` is to its limit.

${formatProfiles(profiles)}
`;
}

/** In whole percent: what no code of a bundle can save, as long as it sends the same request. */
function shareOfNode(times: SelfTimes): number {
  return Math.round((100 * timesOfNode(times)) / sumOf(times));
}

function timesOfNode(times: SelfTimes): number {
  const isOfNode = (part: string) => part.startsWith('Node') || part === nativeCode || part === garbageCollection;
  return sumOf(Object.fromEntries(Object.entries(times).filter(([part]) => isOfNode(part))));
}

function sumOf(times: SelfTimes): number {
  return Object.values(times).reduce((sum, time) => sum + Math.max(0, time), 0);
}

function tableOf(heads: readonly string[], columns: readonly SelfTimes[], kind: (typeof kinds)[number]): string {
  const largest = (part: string) => Math.max(...columns.map((times) => times[part] ?? 0));
  const parts = [...new Set(columns.flatMap(Object.keys))].toSorted((one, other) => largest(other) - largest(one));
  const shown = parts.filter((part) => largest(part) >= minShown[kind]);
  const row = (name: string, value: (times: SelfTimes) => number) =>
    `| ${name} | ${columns.map((times) => value(times).toFixed(kind === 'cold' ? 1 : 3)).join(' | ')} |`;
  const sum = (names: readonly string[]) => (times: SelfTimes) =>
    names.reduce((total, name) => total + Math.max(0, times[name] ?? 0), 0);
  return [
    `| Part (ms) | ${heads.join(' | ')} |`,
    `| --- | ${heads.map(() => '---').join(' | ')} |`,
    ...shown.map((part) => row(part, sum([part]))),
    row('the rest', sum(parts.filter((part) => !shown.includes(part)))),
    row('**all**', sum(parts)),
  ].join('\n');
}
