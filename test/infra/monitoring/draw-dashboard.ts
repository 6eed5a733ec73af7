import { createHash } from 'node:crypto';
import type { DashboardWidget } from './dashboard-body.ts';

/** In pixels: a column and a row of CloudWatch on a screen of 1,440. */
const [columnWidth, rowHeight] = [60, 50];
const gap = 4;
const colors = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2'];
const samples = 36;

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Draws the dashboard as an SVG image, with sample values. @param nameOf the name of an alarm by its id */
export function drawDashboard(widgets: readonly DashboardWidget[], nameOf: (alarm: string) => string): string {
  const rows = Math.max(...widgets.map(({ y, height }) => y + height));
  const [width, height] = [24 * columnWidth, rows * rowHeight];
  const parts = widgets.map((widget) => {
    const box = {
      x: widget.x * columnWidth + gap,
      y: widget.y * rowHeight + gap,
      width: widget.width * columnWidth - 2 * gap,
      height: widget.height * rowHeight - 2 * gap,
    };
    if (widget.type === 'text') return text(box.x + 8, box.y + 28, widget.properties.markdown.replaceAll('**', ''), 18);
    const frame = `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="4" fill="#fff" stroke="#d5dbdb"/>`;
    const title = text(box.x + 10, box.y + 19, widget.properties.title, 13);
    return `${frame}\n${title}\n${widget.type === 'alarm' ? drawAlarms(widget, box, nameOf) : drawGraph(widget, box)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="Helvetica, Arial, sans-serif" role="img">
<title>The dashboard, with sample values</title>
<rect width="${width}" height="${height}" fill="#f2f3f3"/>
${parts.join('\n')}
${text(width - 190, 23, 'sample values', 12, '#687078')}
</svg>
`;
}

function text(x: number, y: number, content: string, size: number, fill = '#16191f'): string {
  const weight = size > 12 ? ' font-weight="bold"' : '';
  return `<text x="${Math.round(x)}" y="${Math.round(y)}" font-size="${size}" fill="${fill}"${weight}>${content}</text>`;
}

/** As many columns as the names leave room for; as large as the box allows. */
function drawAlarms({ properties }: DashboardWidget, box: Box, nameOf: (alarm: string) => string): string {
  const names = properties.alarms.map(nameOf);
  const longest = Math.max(...names.map((name) => name.length));
  const [innerWidth, innerHeight] = [box.width - 16, box.height - 34];
  const columns = Math.max(1, Math.min(names.length, Math.floor(innerWidth / (longest * 5.4 + 14))));
  const [width, height] = [innerWidth / columns, Math.min(60, innerHeight / Math.ceil(names.length / columns))];
  return names
    .map((name, index) => {
      const x = Math.round(box.x + 8 + (index % columns) * width);
      const y = Math.round(box.y + 28 + Math.floor(index / columns) * height);
      const chip = `<rect x="${x}" y="${y}" width="${Math.round(width - 6)}" height="${Math.round(height - 3)}" rx="3" fill="#e9f6ec" stroke="#1d8102"/>`;
      return `${chip}\n${text(x + 6, y + height / 2 + 2.5, name, 10, '#1d8102')}`;
    })
    .join('\n');
}

function drawGraph({ properties }: DashboardWidget, box: Box): string {
  const lines = properties.metrics.filter(({ options }) => options.visible !== false);
  const names = lines.map(({ name, options }) => options.label ?? name);
  const legend = legendOf(names, box);
  const plot = { x: box.x + 12, y: box.y + 30, width: box.width - 24, height: box.height - 44 - 16 * legend.rows };
  const axis = `<path d="M${plot.x} ${plot.y + plot.height}h${plot.width}" stroke="#aab7b8" fill="none"/>`;
  const curves = names.map((name, index) => {
    const values = sampleOf(name);
    const points = values.map((value, time) => {
      const x = plot.x + (plot.width * time) / (samples - 1);
      return `${Math.round(x)} ${Math.round(plot.y + plot.height * (1 - value))}`;
    });
    return `<path d="M${points.join('L')}" stroke="${colorOf(index)}" stroke-width="1.5" fill="none"/>`;
  });
  return [axis, ...curves, legend.drawn].join('\n');
}

const colorOf = (index: number) => colors[index % colors.length] ?? '#000';

/** In as many rows as the names need. */
function legendOf(names: readonly string[], box: Box): { readonly rows: number; readonly drawn: string } {
  const placed: { readonly name: string; readonly row: number; readonly x: number }[] = [];
  let [row, x] = [0, 0];
  for (const name of names) {
    const width = 22 + name.length * 6.2;
    if (x > 0 && x + width > box.width - 16) [row, x] = [row + 1, 0];
    placed.push({ name, row, x });
    x += width;
  }
  const rows = row + 1;
  const drawn = placed.map((entry, index) => {
    const [left, baseline] = [box.x + 12 + entry.x, box.y + box.height - 8 - 16 * (rows - 1 - entry.row)];
    const swatch = `<rect x="${Math.round(left)}" y="${Math.round(baseline - 8)}" width="8" height="8" fill="${colorOf(index)}"/>`;
    return `${swatch}\n${text(left + 12, baseline, entry.name, 11)}`;
  });
  return { rows, drawn: drawn.join('\n') };
}

/** What stays at 0 where nothing is wrong. */
const faults =
  /Dlq|MissedRuns|Quarantined|Anomal|Failed|Missing|Drift|Foreign|Errors|Throttles|Stopped|Stalled|5xx|Gone|Unanswered|Undelivered|Oldest|Refused/;

/** From 0 to 1, the same for the same name. */
function sampleOf(name: string): readonly number[] {
  if (faults.test(name)) return Array.from({ length: samples }, () => 0);
  if (name === 'Seconds left') return Array.from({ length: samples }, (_, time) => 1 - (0.5 * (time % 6)) / 6);
  const [level = 0, speed = 0, shift = 0] = createHash('sha256').update(name).digest();
  const base = 0.15 + (0.45 * level) / 255;
  return Array.from({ length: samples }, (_, time) => {
    const phase = (time * (1 + speed / 64) + shift) / 5;
    return base * (1 + 0.35 * Math.sin(phase) + 0.15 * Math.sin(2.7 * phase));
  });
}
