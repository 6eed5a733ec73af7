import { createHash } from 'node:crypto';
import { type EChartsCoreOption, init } from 'echarts';
import { raw } from 'hono/html';
import type { Markup } from './page.ts';

const width = 1_030;
const font = 'system-ui, sans-serif';
const colors = ['#2c6bb3', '#d0762b', '#2f8f6b', '#7b5aa6'];

/** The values of one curve: at a time in UTC, or after some seconds. */
export type Curve = {
  readonly name: string;
  readonly points: readonly (readonly [at: Date | number, value: number])[];
};

/** Curves over time, as an SVG. A value holds until the next one. @param axis what `at` means */
export function drawCurves(curves: readonly Curve[], axis: 'time' | 'seconds'): Markup {
  const label = { hideOverlap: true, fontFamily: font };
  return draw(320, {
    color: colors,
    legend: { top: 0, left: 60, itemGap: 60, textStyle: { fontFamily: font } },
    grid: { left: 70, right: 30, top: 40, bottom: 36 },
    useUTC: true,
    xAxis:
      axis === 'time'
        ? { type: 'time', axisLabel: label }
        : {
            type: 'value',
            min: 'dataMin',
            max: 'dataMax',
            axisLabel: { ...label, showMinLabel: false, showMaxLabel: false, formatter: '{value} s' },
          },
    yAxis: { type: 'value', axisLabel: { fontFamily: font } },
    series: curves.map(({ name, points }) => ({
      type: 'line',
      name,
      step: 'end',
      showSymbol: false,
      data: points.map(([at, value]) => [at instanceof Date ? at.getTime() : at, value]),
    })),
  });
}

/** Counts as horizontal bars on a logarithmic scale, the largest first. A count of 0 has no bar. */
export function drawCounts(counts: readonly (readonly [name: string, count: number])[]): Markup {
  const sorted = counts.toSorted(([, one], [, other]) => one - other);
  return draw(60 + sorted.length * 18, {
    color: colors,
    grid: { left: 300, right: 70, top: 8, bottom: 36 },
    xAxis: {
      type: 'log',
      min: 0.8,
      axisLabel: { fontFamily: font, formatter: (value: number) => (value < 1 ? '' : String(value)) },
    },
    yAxis: {
      type: 'category',
      data: sorted.map(([name]) => name),
      axisTick: { show: false },
      axisLabel: { interval: 0, fontFamily: font },
    },
    series: [
      {
        type: 'bar',
        barWidth: 10,
        data: sorted.map(([, count]) => (count === 0 ? null : count)),
        label: { show: true, position: 'right', fontFamily: font, fontSize: 11 },
      },
    ],
  });
}

/** Figures as horizontal bars, in their order from the top. @param unit stands behind each figure */
export function drawBars(bars: readonly (readonly [name: string, value: number])[], unit: string): Markup {
  const upwards = bars.toReversed();
  return draw(50 + bars.length * 30, {
    color: colors,
    grid: { left: 200, right: 110, top: 8, bottom: 36 },
    xAxis: { type: 'value', min: 0, axisLabel: { fontFamily: font, formatter: `{value} ${unit}` } },
    yAxis: {
      type: 'category',
      data: upwards.map(([name]) => name),
      axisTick: { show: false },
      axisLabel: { interval: 0, fontFamily: font },
    },
    series: [
      {
        type: 'bar',
        barWidth: 16,
        data: upwards.map(([, value]) => Number(value.toFixed(2))),
        label: { show: true, position: 'right', fontFamily: font, fontSize: 11, formatter: `{c} ${unit}` },
      },
    ],
  });
}

function draw(height: number, option: EChartsCoreOption): Markup {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  // A page may be dark, and the labels are not.
  chart.setOption({ animation: false, backgroundColor: '#ffffff', ...option });
  const svg = chart.renderToSVGString();
  // Otherwise its timer keeps the process alive.
  chart.dispose();
  return raw(withOwnNames(withoutHover(svg)));
}

/** The rules for a pointer do nothing in a picture. */
function withoutHover(svg: string): string {
  const [before = '', ...parts] = svg.split('<style');
  const rest = parts.map((part) => part.slice(part.indexOf('</style>') + '</style>'.length));
  return [before, ...rest].join('').replaceAll(/ class="zr\d+-cls-\d+"/g, '');
}

/** The library's names count all charts that the process has drawn: the same figures would give another text each time. */
function withOwnNames(svg: string): string {
  const names = /\bzr\d+-/g;
  const hash = createHash('sha256').update(svg.replaceAll(names, '')).digest('hex');
  return svg.replaceAll(names, `chart-${hash.slice(0, 8)}-`);
}
