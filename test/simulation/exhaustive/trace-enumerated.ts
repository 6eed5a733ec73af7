import type { HistoryDeps } from '#test/simulation/history.ts';
import { promises } from '#test/simulation/promises/promise.ts';
import { formatLine, type TraceLine } from '#test/simulation/trace.ts';
import { writeFaults } from './enumerated-fault.ts';
import { type EnumeratedOptions, runEnumerated } from './enumerated-history.ts';
import type { HistoryName } from './small-history.ts';

/** The command that repeats a history exactly. */
export function commandOf({ seed, name, faults }: EnumeratedOptions): string {
  return `npm run simulate -- --exhaustive --seed ${seed} ${optionOf(name)} --faults ${writeFaults(faults) || 'none'}`;
}

function optionOf(name: HistoryName): string {
  return typeof name === 'number' ? `--events ${name}` : `--history ${name}`;
}

export type TracedHistory = { readonly text: string; readonly isBroken: boolean };

/** The trace of a small history. */
export async function traceEnumerated(
  options: EnumeratedOptions,
  { app }: Pick<HistoryDeps, 'app'>,
): Promise<TracedHistory> {
  const lines: TraceLine[] = [];
  const { broken } = await runEnumerated(options, {
    app,
    trace: (seconds, who, what) => lines.push({ seconds, who, what }),
  });
  const verdict = broken && `Promise ${broken.promise} is broken (${promises[broken.promise]}): ${broken.what}`;
  const head = [commandOf(options), verdict ?? 'No promise is broken.', ''];
  return { text: [...head, ...lines.map(formatLine)].join('\n'), isBroken: broken !== undefined };
}
