import { html } from 'hono/html';
import { joined, type Markup } from './page.ts';

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
