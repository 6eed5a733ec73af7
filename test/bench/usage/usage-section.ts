import {
  type ComparedCostProps,
  type CostPart,
  comparedCost,
  costOfServices,
  costTargets,
  designs,
  judgeCost,
  partsAboveFloor,
} from '#infra/cost/compared-cost.ts';
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

const region = 'eu-central-1';

/** How webhooks arrive, with what their cost is computed from. */
function eachArrival(measured: MeasuredUsage): readonly (readonly [arrival: string, props: ComparedCostProps])[] {
  const deployment = readDeployment(synthesizeTemplates('example').templates);
  return Object.entries(arrivals).map(([arrival, webhooksPerBatch]) => [
    arrival,
    { deployment, measured, region, webhooksPerBatch },
  ]);
}

/** A setting that keeps logs for an investigation, and not for an audit. */
const shortRetentionDays = 30;

const page = 'docs/performance.md#why-the-cost-targets-are-missed';

/** Compares the cost of a million webhooks with its targets. */
export function judgeUsage(measured: MeasuredUsage): readonly Verdict[] {
  return eachArrival(measured).flatMap(([arrival, props]) => {
    const why = {
      reference: `API Gateway, SQS, DynamoDB and EventBridge alone are ${serviceShare(props).toFixed(2)}: see ${page}.`,
      floor: `What checks the secret and what is logged are above the floor: see ${page}.`,
    };
    return judgeCost(props).map(({ what, of, ratio, target }) =>
      verdict(`${what}, webhooks ${arrival}`, ratio, target, why[of]),
    );
  });
}

/** Of the cost of the reference: what services cost that no function replaces. */
function serviceShare(props: ComparedCostProps): number {
  return costOfServices(props) / comparedCost('middy + Powertools', props).usd;
}

/** What keeps the cost from its targets, in Markdown. */
function formatMissedCost(measured: MeasuredUsage): string {
  const columns = eachArrival(measured).map(([arrival, props]) => {
    const [own, , floor] = designs.map((design) => comparedCost(design, props).usd);
    return { arrival, props, own: own ?? 0, floor: floor ?? 0, parts: partsAboveFloor(props) };
  });
  const ratio = (usd: number, floor: number) => (usd / floor).toFixed(2);
  const names = columns[0]?.parts.map(({ what }) => what) ?? [];
  const usdOf = (parts: readonly CostPart[], name: string) => parts.find(({ what }) => what === name)?.usd ?? 0;
  const rows = [
    ['the floor', ...columns.flatMap(({ floor }) => [floor.toFixed(2), ''])],
    ...names.map((name) => [
      name,
      ...columns.flatMap(({ parts, own, floor }) => [
        usdOf(parts, name).toFixed(2),
        ratio(own - usdOf(parts, name), floor),
      ]),
    ]),
    ['**Drawbridge**', ...columns.flatMap(({ own, floor }) => [own.toFixed(2), `**${ratio(own, floor)}**`])],
    [
      `with logs of ${shortRetentionDays} days`,
      ...columns.flatMap(({ props, floor }) => {
        const deployment = { ...props.deployment, logRetentionDays: shortRetentionDays };
        const { usd } = comparedCost('Drawbridge', { ...props, deployment });
        return [usd.toFixed(2), ratio(usd, floor)];
      }),
    ],
    ['without any log', ...columns.flatMap(({ own, floor, parts }) => withoutLogs(parts, own, floor))],
  ];
  const head = [
    '',
    ...columns.flatMap(({ arrival }) => [`US dollars a million, ${arrival}`, '÷ the floor, without the line']),
  ];
  const shares = columns.map(({ arrival, props }) => `${serviceShare(props).toFixed(2)} of it for webhooks ${arrival}`);
  const saving = columns.map(({ own, floor }) => (own - costTargets.floor * floor).toFixed(2)).join(' and ');
  return `### Why the cost targets are missed

**${costTargets.reference} of the reference.** API Gateway, SQS, DynamoDB and EventBridge charge for each webhook, for its two writes and for its event, with any code between them. They
alone cost ${shares.join(', and ')}. So no code reaches the target: functions that cost nothing and log nothing would still miss it.

**${costTargets.floor} × the floor.** The floor checks no secret, refuses nothing and logs nothing. What is above it, and the ratio without each line:

${table(head, rows)}

The target needs ${saving} US dollars a million less. \`receive\` must stay, because it checks the secret. What is left are the logs: a line for each webhook, a line of
metrics for each batch, and the access log. By these lines an operator finds a webhook. Their storage follows the setting \`logRetentionDays\`, which is
${columns[0]?.props.deployment.logRetentionDays} days here.`;

  function withoutLogs(parts: readonly CostPart[], own: number, floor: number): readonly string[] {
    const logs = parts.filter(({ what }) => what.includes('log')).reduce((sum, { usd }) => sum + usd, 0);
    return [(own - logs).toFixed(2), ratio(own - logs, floor)];
  }
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
  return [table(head, rows), formatVerdicts('Ratio', judgeUsage(measured)), formatMissedCost(measured)].join('\n\n');
}

/** What a run says, for the page. */
export function usageSection(measured: MeasuredUsage, rounds: number, conditions: RunConditions): string {
  return `## What an invocation takes

[Cost](reference/cost.md#compared) and [Memory sizes](capacity.md#memory-sizes) compute from these figures. Each webhook is about a new order. CPU time and memory are
medians of ${rounds} rounds. ${formatConditions(conditions)}

${formatUsage(measured)}`;
}
