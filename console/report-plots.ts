import uPlot from 'uplot';
import type { PlotData } from '#sandbox/report/plot-data.ts';

const height = 320;
const colours = ['#2c6bb3', '#d0762b', '#2f8f6b', '#7b5aa6'] as const;

/** The date and the time of day in UTC. */
function partsOf(time: number): readonly string[] {
  return new Date(time * 1_000).toISOString().slice(0, 16).split('T');
}

/** The date stands below the first time of each day. */
function writeTimes(times: readonly number[]): string[] {
  return times.map((time, index) => {
    const [date, clock] = partsOf(time);
    return partsOf(times[index - 1] ?? 0)[0] === date ? `${clock}` : `${clock}\n${date}`;
  });
}

function drawPlot(figure: HTMLElement, { axis, at, curves }: PlotData): void {
  const styles = getComputedStyle(figure);
  const lines = {
    stroke: styles.getPropertyValue('--soft'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: styles.getPropertyValue('--line'), width: 1 },
    ticks: { show: false },
  };
  const isTime = axis === 'time';
  const write = (value: number) => (isTime ? partsOf(value).join(' ') : `${value} s`);
  const steps = uPlot.paths.stepped?.({ align: 1 });
  const plot = new uPlot(
    {
      width: figure.clientWidth,
      height,
      tzDate: (time) => uPlot.tzDate(new Date(time * 1_000), 'Etc/UTC'),
      scales: { x: { time: isTime } },
      axes: [{ ...lines, values: (_, splits) => (isTime ? writeTimes(splits) : splits.map(write)) }, lines],
      series: [
        {
          label: isTime ? 'Time' : 'After',
          value: (_: uPlot, value: number | null) => (value === null ? '--' : write(value)),
        },
        ...curves.map(({ name }, index) => ({
          label: name,
          stroke: colours[index] ?? colours[0],
          width: 2,
          points: { show: false },
          ...(steps && { paths: steps }),
        })),
      ],
    },
    [[...at], ...curves.map(({ values }) => [...values])],
    figure,
  );
  new ResizeObserver(() => plot.setSize({ width: figure.clientWidth, height })).observe(figure);
}

/** Draws the plots of an HTML report of the sandbox. Each has its values in a script beside it. */
function drawPlots(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('.plot')) {
    figure.querySelector('.uplot')?.remove();
    const values = figure.querySelector('script')?.textContent;
    if (values) drawPlot(figure, JSON.parse(values));
  }
}

drawPlots();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawPlots);
