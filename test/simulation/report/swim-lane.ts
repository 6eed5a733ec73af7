import { html } from 'hono/html';
import { joined, type Markup } from '#sandbox/report/page.ts';
import type { TraceLine } from '#test/simulation/trace.ts';

/** What one actor did without another one in between. */
export type Turn = {
  readonly seconds: number;
  readonly lane: string;
  readonly steps: readonly { readonly what: string; readonly kind: 'usual' | 'fault' | 'broken' }[];
};

/** Lanes from what causes webhooks to what consumes them. Others come last. */
const order = [
  'history',
  'partner',
  'receive',
  'store',
  'drain',
  'refresh',
  'register',
  'reconcile',
  'replay',
  'wake',
  'advance',
];

const faultWords = /(Error|Exception)\b|crashes|is killed|freezes/;

/** Groups the lines of a trace. A process, its function and the queue of the function share a lane. */
export function toTurns(lines: readonly TraceLine[]): readonly Turn[] {
  const turns: Turn[] = [];
  let last: { readonly who: string; readonly steps: Turn['steps'][number][] } | undefined;
  for (const { seconds, who, what } of lines) {
    const step = { what, kind: kindOf(who, what) };
    if (last !== undefined && last.who === who) last.steps.push(step);
    else {
      last = { who, steps: [step] };
      turns.push({ seconds, lane: laneOf(who), steps: last.steps });
    }
  }
  return turns;
}

function laneOf(who: string): string {
  if (who === 'PROMISE') return 'history';
  const [name = ''] = who.replace('queue of ', '').split(' (');
  return name;
}

function kindOf(who: string, what: string): 'usual' | 'fault' | 'broken' {
  if (who === 'PROMISE') return 'broken';
  return faultWords.test(what) ? 'fault' : 'usual';
}

/** A swim lane as a table: a column for each actor, and time from top to bottom. */
export async function drawSwimLane(turns: readonly Turn[]): Promise<Markup> {
  const lanes = [...new Set(turns.map(({ lane }) => lane))].toSorted((one, other) => placeOf(one) - placeOf(other));
  const heads = lanes.map((lane) => html`<th>${lane}</th>`);
  const rows = turns.map(async ({ seconds, lane, steps }) => {
    const cells = lanes.map(async (one) => html`<td>${one === lane ? await drawSteps(steps) : ''}</td>`);
    return html`<tr><td><time>${timeOf(seconds)}</time></td>${await joined(cells)}</tr>`;
  });
  return html`<table class="lanes"><thead><tr><th>time</th>${await joined(heads)}</tr></thead><tbody>${await joined(rows)}</tbody></table>`;
}

function placeOf(lane: string): number {
  const place = order.indexOf(lane);
  return place === -1 ? order.length : place;
}

/** Equal steps in a row are one, with their number. */
function drawSteps(steps: Turn['steps']): Promise<Markup> {
  const shown: { what: string; kind: string; times: number }[] = [];
  for (const { what, kind } of steps) {
    const last = shown.at(-1);
    if (last?.what === what) last.times += 1;
    else shown.push({ what, kind, times: 1 });
  }
  return joined(
    shown.map(({ what, kind, times }) => html`<span class="${kind}">${times > 1 ? `${what} × ${times}` : what}</span>`),
  );
}

function timeOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds % 60).toFixed(3).padStart(6, '0')}`;
}
