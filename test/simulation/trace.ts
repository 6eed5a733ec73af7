import { type History, type HistoryDeps, type HistoryOptions, runHistory } from './history.ts';
import { promises } from './promises/promise.ts';

/** One line of a trace. */
export type TraceLine = { readonly seconds: number; readonly who: string; readonly what: string };

/** The trace of a history: one line for each step, with its time and its actor. */
export async function traceHistory(options: HistoryOptions, { app }: HistoryDeps): Promise<string> {
  const lines: TraceLine[] = [];
  const history = await runHistory(options, { app, trace: (seconds, who, what) => lines.push({ seconds, who, what }) });
  return [...headOf(history), ...lines.map(formatLine)].join('\n');
}

function headOf({ options, kinds, injectedFaults, broken }: History): readonly string[] {
  return [
    `History ${JSON.stringify(options)}`,
    broken === undefined
      ? 'No promise is broken.'
      : `Promise ${broken.promise} is broken (${promises[broken.promise]}): ${broken.what}`,
    `Faults that can happen: ${kinds.join(', ') || 'none'}`,
    `Faults that happened: ${injectedFaults.join(', ') || 'none'}`,
    '',
  ];
}

export function formatLine({ seconds, who, what }: TraceLine): string {
  return `${seconds.toFixed(3).padStart(10)}  ${who.padEnd(18)} ${what}`;
}
