import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from '#console/app/theme.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { labelTimes, loneIndices, minuteOf, splitLast } from './plot-data.ts';

export type PlotProps = {
  readonly title: string;
  /** What the numbers count, if the title does not say it. */
  readonly unit?: string;
  /** The value now, if it is fresher than the last of the values. */
  readonly now?: number | undefined;
  /** Milliseconds since 1970. */
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
  /** Writes a value for people. */
  readonly format: (value: number) => string;
  readonly tone?: 'plain' | 'warn' | 'bad';
};

const axisFont = '11px system-ui, sans-serif';
const height = 92;

/** In seconds: between two labels of the time axis. */
const labelSteps = [900, 1_800];

/** A number with its last hour. The pointer shows the value of a minute. */
export function Plot({ title, unit, now, times, values, format, tone = 'plain' }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const shownTheme = useSharedValue(theme);
  const [pointed, setPointed] = useState<number | undefined>(undefined);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const styles = getComputedStyle(element);
    const colour = (name: string) => styles.getPropertyValue(name).trim();
    const line: uPlot.Series = {
      stroke: colour('outline-color'),
      width: 1.5,
      points: {
        show: true,
        size: 4,
        fill: colour('outline-color'),
        filter: ({ data }, series) => loneIndices([...(data[series] ?? [])].map((value) => value ?? null)),
      },
    };
    const drawn = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, points: { size: 5 } },
        scales: { y: { range: (_, min, max) => [Math.min(0, min ?? 0), Math.max(4, (max ?? 0) * 1.15)] } },
        axes: [
          {
            size: 20,
            font: axisFont,
            stroke: colour('color'),
            grid: { show: false },
            ticks: { show: false },
            incrs: labelSteps,
            values: (_, splits) => labelTimes(splits.map((split) => split * 1_000)),
          },
          {
            size: 38,
            font: axisFont,
            stroke: colour('color'),
            grid: { stroke: colour('border-top-color'), width: 1 },
            ticks: { show: false },
            splits: (_, __, min, max) => [min, max / 1.15].map(Math.round),
            values: (_, splits) => splits.map(format),
          },
        ],
        padding: [6, 4, 4, 0],
        hooks: { setCursor: [({ cursor }) => setPointed(cursor.idx ?? undefined)] },
        series: [{}, { ...line, fill: colour('background-color') }, { ...line, dash: [2, 2] }],
      },
      [[], [], []],
      element,
    );
    plot.current = drawn;
    const resize = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      drawn.destroy();
      plot.current = undefined;
    };
  }, [shownTheme, tone]);

  useEffect(() => {
    const { whole, last } = splitLast(values);
    plot.current?.setData([times.map((time) => time / 1_000), whole, last]);
  }, [times, values, shownTheme, tone]);

  const latest = now ?? values.findLast((value) => value !== null) ?? undefined;
  const at = pointed === undefined ? undefined : times[pointed];
  const shown = pointed === undefined ? latest : (values[pointed] ?? undefined);
  const unitNow = shown === undefined ? 'no value in the hour' : unit;
  const moment = at === undefined ? unitNow : `${shown === undefined ? 'no value ' : ''}at ${minuteOf(at)}`;
  return (
    <figure class={`plot ${tone}`}>
      <figcaption>
        <span class="plot-title">{title}</span>
        <strong>{shown === undefined ? '–' : format(shown)}</strong>
        <span class="plot-unit">{moment}</span>
      </figcaption>
      <div ref={frame} class="plot-frame" aria-hidden="true" />
    </figure>
  );
}
