import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { html, raw } from 'hono/html';
import type { PlotData } from './plot-data.ts';

/** Text is escaped. Markup is what `html` and the pictures of this folder return. */
export type Markup = ReturnType<typeof raw>;

export type ReportSection = { readonly title: string; readonly note?: string } & (
  | { readonly content: Markup }
  | { readonly plot: PlotData }
);

export type Report = {
  readonly title: string;
  /** One sentence: what was shown, or that it failed. */
  readonly verdict: string;
  readonly holds: boolean;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly sections: readonly ReportSection[];
};

/** One self-contained HTML page without requests. Only a page with a plot has a script, which draws the plots. */
export async function formatReport({ title, verdict, holds, facts, sections }: Report): Promise<string> {
  const hasPlot = sections.some((section) => 'plot' in section);
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="verdict ${holds ? 'holds' : 'fails'}">${verdict}</p>
<dl>${await joined(facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}</dl>
</header>
<main>
${await joined(
  sections.map(
    (section) => html`<section>
<h2>${section.title}</h2>
${section.note === undefined ? '' : html`<p>${section.note}</p>`}
<div class="wide" role="region" aria-label="${section.title}" tabindex="0">${'plot' in section ? placePlot(section.plot) : section.content}</div>
</section>`,
  ),
)}
</main>
${hasPlot ? await plotTags() : ''}
</body>
</html>
`;
  return String(page);
}

/** The place of a plot, with its values. The script of the page draws it. */
function placePlot(data: PlotData): Markup {
  // In a script, only a tag can end the text.
  const values = JSON.stringify(data).replaceAll('<', '\\u003c');
  return raw(`<figure class="plot"><script type="application/json">${values}</script></figure>`);
}

/** The script and the style that draw all plots of a page, as tags. */
async function plotTags(): Promise<Markup> {
  const { outputFiles } = await build({
    absWorkingDir: dirname(dirname(import.meta.dirname)),
    entryPoints: ['console/report-plots.ts', 'node_modules/uplot/dist/uPlot.min.css'],
    outdir: join(import.meta.dirname, 'unwritten'),
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    target: 'es2024',
    logLevel: 'warning',
  });
  const textOf = (end: string) => raw(outputFiles.find(({ path }) => path.endsWith(end))?.text.trim() ?? '');
  return html`<style>${textOf('.css')}</style><script>${textOf('.js')}</script>`;
}

export type ReportCell = string | number;

/** A table with text on the left and columns of numbers on the right. @param fails whether a row shows a failure */
export async function tableOf<Row extends readonly ReportCell[]>(
  head: readonly string[],
  rows: readonly Row[],
  fails: (row: Row) => boolean = () => false,
): Promise<Markup> {
  const classOf = (column: number) => raw(rows.some((row) => typeof row[column] === 'number') ? ' class="number"' : '');
  const cells = (row: Row) => joined(row.map((cell, column) => html`<td${classOf(column)}>${textOf(cell)}</td>`));
  const heads = head.map((title, column) => html`<th${classOf(column)}>${title}</th>`);
  const lines = rows.map(async (row) => html`<tr${raw(fails(row) ? ' class="fails"' : '')}>${await cells(row)}</tr>`);
  return html`<table><thead><tr>${await joined(heads)}</tr></thead><tbody>${await joined(lines)}</tbody></table>`;
}

/** Markup in a row. */
export async function joined(parts: readonly (Markup | Promise<Markup>)[]): Promise<Markup> {
  return raw((await Promise.all(parts)).join(''));
}

function textOf(cell: ReportCell): string {
  return typeof cell === 'number' ? cell.toLocaleString('en-GB') : cell;
}

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #dde2e8; --good: #17744a; --bad: #b3261e; --ground: #f6f7f9; --card: #fff; --step: #eaf1fb; --bar: #2c6bb3; --fault: #fde9d3; --faulty: #7a3d00; --broken: #fbe0de; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --soft: #a3adba; --line: #333c48; --good: #5fcf9b; --bad: #ff8a80; --ground: #10151b; --card: #181f28; --step: #1f3048; --fault: #4a2e0d; --faulty: #ffc98a; --broken: #4d1f1c; }
  svg { filter: invert(1) hue-rotate(180deg); }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
header, main { max-width: 1080px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 40px; }
h1 { margin: 0; font-size: 26px; }
h2 { margin: 0 0 4px; font-size: 18px; }
.verdict { margin: 8px 0 20px; font-size: 18px; font-weight: 600; }
.holds { color: var(--good); }
.fails { color: var(--bad); }
dl { display: flex; flex-wrap: wrap; gap: 12px 32px; margin: 0 0 24px; }
dt { color: var(--soft); font-size: 13px; }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 20px 24px; margin-bottom: 20px; }
.wide { overflow-x: auto; }
section > p { color: var(--soft); margin: 0 0 16px; max-width: 75ch; }
svg { max-width: 100%; height: auto; display: block; margin: 0 auto; }
.plot { margin: 0; }
.plot .u-legend { text-align: left; color: var(--ink); font-size: 13px; }
.plot .u-legend th, .plot .u-legend td { border: 0; color: inherit; padding: 2px 4px; }
.bars th { font-weight: 400; color: inherit; width: 1px; white-space: nowrap; }
.bars .number { width: 1px; }
.bars div { height: 12px; margin: 5px 0; background: var(--bar); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 4px 16px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 500; font-size: 13px; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.lanes { font-size: 12px; table-layout: fixed; min-width: 900px; }
.lanes th:first-child { width: 84px; }
.lanes span + span { margin-top: 2px; }
.lanes td, .lanes th { padding: 3px 8px; border-left: 1px solid var(--line); }
.lanes th { position: sticky; top: 0; background: var(--card); }
.lanes time { color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
.lanes span { display: block; border-radius: 4px; padding: 1px 6px; background: var(--step); overflow-wrap: anywhere; }
.lanes span.fault { background: var(--fault); color: var(--faulty); }
.lanes span.broken { background: var(--broken); color: var(--bad); font-weight: 600; }
/* A picture that shrinks to a phone has letters too small to read: it keeps its size, and its box scrolls. */
@media (max-width: 900px) {
  svg { max-width: none; }
  header, main { padding: 0 12px; }
  header { padding-top: 20px; }
  section { padding: 16px 12px; }
  .bars th { white-space: normal; width: 45%; }
}
`;
