import { type ComparedCostProps, comparedCost, designs, judgeCost } from './compared-cost.ts';
import { costRows } from './cost-table.ts';
import type { SynthesizedEnvironment } from './describe-cost.ts';
import { readMeasuredUsage } from './measured-usage.ts';
import type { Region } from './price-list.ts';
import { readDeployment } from './read-deployment.ts';

/** How webhooks arrive: alone, or so many together that `store` gets full batches. */
export const arrivals = { 'one at a time': 1, 'in full batches': 10 } as const;

/** A table: a row for each line of the cost of a million webhooks, and a column for each design. */
export function comparedRows(props: ComparedCostProps): readonly (readonly string[])[] {
  return [
    ['US dollars a million webhooks', ...designs],
    ...costRows(designs.map((design) => comparedCost(design, props))),
  ];
}

/** A table: a row for each target. */
export function verdictRows(props: ComparedCostProps): readonly (readonly string[])[] {
  return [
    ['Ratio', 'Computed', 'Target', 'Met'],
    ...judgeCost(props).map(({ what, ratio, target, isMet }) => [
      what,
      ratio.toFixed(2),
      target.toFixed(2),
      isMet ? 'yes' : 'no',
    ]),
  ];
}

/** What a million webhooks cost in each design, as text. @throws {DeploymentError} */
export function describeComparedCost({ name, templates }: SynthesizedEnvironment, region: Region): string {
  const [deployment, measured] = [readDeployment(templates), readMeasuredUsage()];
  const parts = Object.entries(arrivals).map(([arrival, webhooksPerBatch]) => {
    const props = { deployment, measured, region, webhooksPerBatch };
    return [`\nWebhooks ${arrival}:\n`, ...aligned(comparedRows(props)), '', ...aligned(verdictRows(props))].join('\n');
  });
  return [`Environment ${name}, region ${region}. Without storage, traces, alarms and metrics.`, ...parts].join('\n');
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('   '),
  );
}
