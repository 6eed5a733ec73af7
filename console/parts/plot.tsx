import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from '#console/app/theme.ts';
import { useStore } from '#console/data/store.ts';

export type PlotProps = {
  readonly title: string;
  /** The value now, in words. */
  readonly value: string;
  /** Milliseconds since 1970. */
  readonly times: readonly number[];
  readonly values: readonly (number | undefined)[];
  readonly tone?: 'plain' | 'warn' | 'bad';
};

const height = 72;

/** A number with its last hour. The plot shows the value below the pointer. */
export function Plot({ title, value, times, values, tone = 'plain' }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const shownTheme = useStore(theme);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const styles = getComputedStyle(element);
    const colour = (name: string) => styles.getPropertyValue(name).trim();
    const drawn = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, points: { size: 5 } },
        scales: { y: { range: (_, min, max) => [Math.min(0, min ?? 0), Math.max(4, (max ?? 0) * 1.15)] } },
        axes: [
          { show: false },
          {
            size: 26,
            font: '11px system-ui, sans-serif',
            stroke: colour('color'),
            grid: { stroke: colour('border-top-color'), width: 1 },
            ticks: { show: false },
            splits: (_, __, min, max) => [min, max / 1.15].map(Math.round),
          },
        ],
        padding: [6, 4, 4, 0],
        series: [
          {},
          { stroke: colour('outline-color'), width: 1.5, fill: colour('background-color'), points: { show: false } },
        ],
      },
      [[], []],
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
    plot.current?.setData([times.map((time) => time / 1_000), values.map((each) => each ?? null)]);
  }, [times, values, shownTheme, tone]);

  return (
    <figure class={`plot ${tone}`}>
      <figcaption>
        <span>{title}</span>
        <strong>{value}</strong>
      </figcaption>
      <div ref={frame} class="plot-frame" aria-hidden="true" />
    </figure>
  );
}
