import { designs, judgeCost } from '#infra/cost/compared-cost.ts';
import { arrivals } from '#infra/cost/describe-compared-cost.ts';
import type { MeasuredInvocation, MeasuredUsage } from '#infra/cost/measured-usage.ts';
import { readDeployment } from '#infra/cost/read-deployment.ts';
import { synthesizeTemplates } from '#infra/cost/synthesize-templates.ts';
import { formatConditions, type RunConditions } from '#test/bench/performance-page.ts';
import { formatFigure, formatVerdicts, table, type Verdict, verdict } from '#test/bench/report.ts';

const names: Readonly<Record<keyof MeasuredUsage['drawbridge'], string>> = {
  receive: '`receive`, a webhook',
  store: '`store`, a batch of one',
  storeTen: '`store`, a batch of ten',
};

/** Compares the cost of a million webhooks with its targets. */
export function judgeUsage(measured: MeasuredUsage): readonly Verdict[] {
  const deployment = readDeployment(synthesizeTemplates('example').templates);
  return Object.entries(arrivals).flatMap(([arrival, webhooksPerBatch]) =>
    judgeCost({ deployment, measured, region: 'eu-central-1', webhooksPerBatch }).map(({ what, ratio, target }) =>
      verdict(`${what}, webhooks ${arrival}`, ratio, target),
    ),
  );
}

/** The tables of a run, in Markdown. */
export function formatUsage(measured: MeasuredUsage): string {
  const [ours, reference] = designs;
  const row = (name: string, design: string, one: MeasuredInvocation) => [
    name,
    design,
    formatFigure(one.cpuMs),
    formatFigure(one.coldCpuMs),
    formatFigure(one.megabytes),
    Object.values(one.requests).reduce((sum, count) => sum + count, 0),
    one.writeUnits,
    one.readUnits,
    one.logBytes,
  ];
  const rows = Object.entries(names).flatMap(([of, name]) => {
    const key = of === 'receive' || of === 'store' ? of : 'storeTen';
    return [row(name, ours, measured.drawbridge[key]), row(name, reference, measured.reference[key])];
  });
  const head = [
    '',
    '',
    'Warm CPU (ms)',
    'CPU of load and first call (ms)',
    'Peak memory (MB)',
    'Requests',
    'Write units',
    'Read units',
    'Bytes of logs',
  ];
  return [table(head, rows), formatVerdicts('Ratio', judgeUsage(measured))].join('\n\n');
}

/** What a run says, for the page. */
export function usageSection(measured: MeasuredUsage, rounds: number, conditions: RunConditions): string {
  return `## What an invocation takes

[Cost](reference/cost.md#compared) and [Memory sizes](capacity.md#memory-sizes) compute from these figures. Each webhook is about a new order. CPU time and memory are
medians of ${rounds} rounds. ${formatConditions(conditions)}

${formatUsage(measured)}`;
}
