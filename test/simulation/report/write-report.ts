import { html } from 'hono/html';
import { formatReport, joined, type Markup, type ReportSection, tableOf } from '#sandbox/report/page.ts';
import { withoutPromise11 } from '#sandbox/report/promises.ts';
import { countPromises } from '#test/simulation/format-promises.ts';
import { type History, type HistoryDeps, type HistoryOptions, runHistory } from '#test/simulation/history.ts';
import { promises } from '#test/simulation/promises/promise.ts';
import type { RunResult } from '#test/simulation/run-seeds.ts';
import type { TraceLine } from '#test/simulation/trace.ts';
import { drawSwimLane, toTurns } from './swim-lane.ts';

export type SimulationRun = {
  readonly result: RunResult;
  /** The seed of the first history. */
  readonly seed: number;
  readonly seconds: number;
  /** The history that the report shows in full. */
  readonly shown: HistoryOptions;
};

/** The most turns of a swim lane: more are not read. */
const maxTurns = 300;

/** The report of `npm run simulate -- --report`: the promises, the faults, and one history in full. */
export async function writeSimulationReport(run: SimulationRun, deps: HistoryDeps): Promise<string> {
  const { result, seed, seconds } = run;
  const { done, failures } = result;
  return formatReport({
    title: 'Simulation of Drawbridge',
    verdict:
      failures.length === 0
        ? 'No promise was broken.'
        : `FAILED: ${failures.length} of ${done} histories broke a promise or ended with an error.`,
    holds: failures.length === 0,
    facts: [
      ['histories', done.toLocaleString('en-GB')],
      ['seeds', `${seed} to ${seed + done - 1}`],
      ['seconds', String(Math.round(seconds))],
      ['histories per second', String(Math.round(done / seconds))],
      ['faults', sum([...result.counts.values()]).toLocaleString('en-GB')],
    ],
    sections: [
      await describePromises(result),
      {
        title: 'Faults',
        note: 'How often each kind of fault happened in all histories, on a logarithmic scale.',
        content: await drawCounts([...result.counts]),
      },
      await describeHistory(run.shown, deps),
    ],
  });
}

async function describePromises(result: RunResult): Promise<ReportSection> {
  const rows = countPromises(result).map(({ promise, what, checked, broken }) => [
    String(promise),
    what,
    checked,
    broken,
  ]);
  return {
    title: 'Promises',
    note: `A check counts each thing that it judges, such as a log line, a mark or an entity. ${withoutPromise11}`,
    content: await tableOf(['', 'promise', 'checked', 'histories that broke it'], rows, (row) => row.at(-1) !== 0),
  };
}

async function describeHistory(options: HistoryOptions, deps: HistoryDeps): Promise<ReportSection> {
  const { history, turns } = await traceTurns(options, deps);
  const left = turns.length - maxTurns;
  return {
    title: `History of seed ${options.seed}`,
    note: [
      verdictOf(history),
      `Faults: ${formatFaults(history)}.`,
      'Time is in minutes, from top to bottom. Each column is a function with its queue; faults are orange.',
      left > 0
        ? `The last ${left} of ${turns.length} turns are left out: npm run simulate -- --trace --seed ${options.seed} prints all.`
        : '',
    ].join(' '),
    content: await drawSwimLane(turns.slice(0, maxTurns)),
  };
}

/** An injected fault is a kind with its number. */
function formatFaults({ injectedFaults }: History): string {
  const kinds = Map.groupBy(injectedFaults, (injectedFault) => injectedFault.replace(/#\d+$/, ''));
  return [...kinds].map(([kind, { length }]) => (length > 1 ? `${kind} (${length} times)` : kind)).join(', ') || 'none';
}

function verdictOf({ broken }: History): string {
  return broken === undefined
    ? 'It keeps every promise.'
    : `It breaks promise ${broken.promise} (${promises[broken.promise]}): ${broken.what}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

/** How many histories are tried for one that is worth reading. */
const tried = 40;

/** Fewer faults show little. More turns are not read. */
const worth = { minFaults: 3, minLanes: 5, maxTurns: 160 };

/** The first history in which several functions meet several faults, and that is short enough to be read. */
export async function chooseHistory(seed: number, deps: HistoryDeps): Promise<HistoryOptions> {
  for (let one = seed; one < seed + tried; one += 1) {
    const { turns } = await traceTurns({ seed: one }, deps);
    const faults = turns.flatMap(({ steps }) => steps).filter(({ kind }) => kind === 'fault');
    const lanes = new Set(turns.map(({ lane }) => lane));
    const isWorth = faults.length >= worth.minFaults && lanes.size >= worth.minLanes && turns.length <= worth.maxTurns;
    if (isWorth) return { seed: one };
  }
  return { seed };
}

async function traceTurns(options: HistoryOptions, deps: HistoryDeps) {
  const lines: TraceLine[] = [];
  const trace: HistoryDeps['trace'] = (seconds, who, what) => lines.push({ seconds, who, what });
  const history = await runHistory(options, { ...deps, trace });
  return { history, turns: toTurns(lines) };
}

/** Counts as horizontal bars on a logarithmic scale, the largest first. A count of 0 has no bar. */
export async function drawCounts(counts: readonly (readonly [name: string, count: number])[]): Promise<Markup> {
  const sorted = counts.toSorted(([, one], [, other]) => other - one);
  const lengthOf = (count: number) => Math.log10(count + 1);
  const longest = Math.max(1, ...sorted.map(([, count]) => lengthOf(count)));
  const rows = sorted.map(
    ([name, count]) => html`<tr><th scope="row">${name}</th><td class="number">${count.toLocaleString('en-GB')}</td>
<td><div style="width: ${((100 * lengthOf(count)) / longest).toFixed(1)}%"></div></td></tr>`,
  );
  return html`<table class="bars"><tbody>${await joined(rows)}</tbody></table>`;
}
