import { compared } from '#test/bench/peers.ts';
import { formatConditions, type RunConditions } from '#test/bench/performance-page.ts';
import { garbageCollection, nativeCode, type SelfTimes } from './cpu-profile.ts';
import { type Profile, type Profiles, profiledCalls, variants } from './profile-bench.ts';

/** Parts with less in each column are summed up. In milliseconds. */
const minShown = { cold: 0.5, warm: 0.01 } as const;

const kinds = ['cold', 'warm'] as const;
const titles = {
  receive: { cold: 'load and first webhook', warm: 'a warm webhook' },
  store: { cold: 'load and first record', warm: 'a warm record, in a batch of one' },
} as const;

/** The profiles as tables. */
export function formatProfiles(profiles: Profiles): string {
  return compared
    .flatMap((of) => kinds.map((kind) => `### Profile of ${of}: ${titles[of][kind]}\n\n${tableOf(profiles[of], kind)}`))
    .join('\n\n');
}

/** The section of the page. */
export function profilesSection(profiles: Profiles, conditions: RunConditions): string {
  return `## Where the time goes

Milliseconds of each part itself, by \`node --cpu-prof\`, before and after the clients of the SDK left the bundles
([0370](decisions/0370-our-own-clients-stand-in-for-the-sdk.md)). Both are profiled without minifying. Warm figures are of ${profiledCalls.receive} webhooks and ${profiledCalls.store} records, less the
cold ones. Cold figures are the fastest of five runs, and include the start of Node, which the columns share. A profiler slows down what it measures:
compare the columns with each other. ${formatConditions(conditions)}

Node and V8 themselves take ${shareOfNode(profiles.receive['as deployed'].warm)} % of a warm webhook as deployed: the request to SQS, the signature and the compression. That is how near
\`receive\` is to its limit.

${formatProfiles(profiles)}
`;
}

/** In whole percent: what no code of a bundle can save, as long as it sends the same request. */
function shareOfNode(times: SelfTimes): number {
  const sum = (entries: readonly (readonly [string, number])[]) =>
    entries.reduce((all, [, time]) => all + Math.max(0, time), 0);
  const entries = Object.entries(times);
  const ofNode = entries.filter(
    ([part]) => part.startsWith('Node') || part === nativeCode || part === garbageCollection,
  );
  return Math.round((100 * sum(ofNode)) / sum(entries));
}

function tableOf(of: Readonly<Record<(typeof variants)[number], Profile>>, kind: (typeof kinds)[number]): string {
  const columns = variants.map((variant) => of[variant][kind]);
  const largest = (part: string) => Math.max(...columns.map((times) => times[part] ?? 0));
  const parts = [...new Set(columns.flatMap(Object.keys))].toSorted((one, other) => largest(other) - largest(one));
  const shown = parts.filter((part) => largest(part) >= minShown[kind]);
  const row = (name: string, value: (times: SelfTimes) => number) =>
    `| ${name} | ${columns.map((times) => value(times).toFixed(kind === 'cold' ? 1 : 3)).join(' | ')} |`;
  const sum = (names: readonly string[]) => (times: SelfTimes) =>
    names.reduce((total, name) => total + Math.max(0, times[name] ?? 0), 0);
  return [
    `| Part (ms) | ${variants.join(' | ')} |`,
    `| --- | ${variants.map(() => '---').join(' | ')} |`,
    ...shown.map((part) => row(part, sum([part]))),
    row('the rest', sum(parts.filter((part) => !shown.includes(part)))),
    row('**all**', sum(parts)),
  ].join('\n');
}
