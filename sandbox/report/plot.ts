import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { html, raw } from 'hono/html';
import type { Markup } from './page.ts';
import type { PlotData } from './plot-data.ts';

/** The place of a plot, with its values. The script of the page draws it. */
export function placePlot(data: PlotData): Markup {
  // In a script, only a tag can end the text.
  const values = JSON.stringify(data).replaceAll('<', '\\u003c');
  return raw(`<figure class="plot"><script type="application/json">${values}</script></figure>`);
}

/** The script and the style that draw all plots of a page, as tags. */
export async function plotTags(): Promise<Markup> {
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
