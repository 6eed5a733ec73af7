import { GetScheduleCommand } from '@aws-sdk/client-scheduler';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { typedKeys } from '#cli/command/typed-keys.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import type { FunctionName, ScheduleName } from '#cli/deployment/resource-names.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { metricPeriod, readValues } from '#cli/status/metric-query.ts';
import { type Found, good, problem, unknown } from './findings.ts';

/** The function that runs when a schedule is due. */
const functionOf: Readonly<Record<ScheduleName, FunctionName>> = {
  TokenRefresh: 'Refresh',
  RegisterRuns: 'Register',
  DrainRuns: 'Drain',
  ReconcileRuns: 'Reconcile',
};

/** A schedule and its last run, as AWS describes them. */
export type ScheduleState = {
  readonly name: ScheduleName;
  readonly isEnabled: boolean;
  /** Such as `rate(5 minutes)`. */
  readonly expression: string;
  readonly createdOn: Date | undefined;
  /** When its function last ran, to the minute; undefined if the metrics show no run in twice the rate. */
  readonly lastRun: Date | undefined;
};

/** In milliseconds: metrics arrive late, and a run that fails is tried again. */
const tolerance = 5 * 60_000;

/** Whether every schedule is enabled, and its function has run when it was due. */
export async function checkSchedules(deployment: Deployment, deps: Pick<CommandDeps, 'fetch' | 'now'>): Promise<Found> {
  const now = await readClock(deployment, deps);
  // Schedules on the laptop are due by the real time, and runs are measured by the clock of the sandbox.
  const late = tolerance + Math.abs(now.getTime() - deps.now().getTime());
  const states = await Promise.all(typedKeys(functionOf).map((name) => readSchedule(deployment, { name, now, late })));
  const problems = states.flatMap((state) => evaluateSchedule(state, { now, late }));
  if (problems.length > 0) return problems;
  const runs = states.map(({ name, lastRun }) => `${name} ${lastRun?.toISOString() ?? 'not yet'}`).join(', ');
  return good(`${states.length} schedules are enabled. Last runs: ${runs}`);
}

type Time = { readonly now: Date; readonly late: number };

/** What is wrong with a schedule; empty if nothing is. @param late in milliseconds: how late a run may be */
export function evaluateSchedule(
  { name, isEnabled, expression, createdOn, lastRun }: ScheduleState,
  { now, late }: Time,
): Found {
  if (!isEnabled)
    return problem(
      `the schedule ${name} is disabled: ${functionOf[name]} does not run`,
      `Enable ${name} in the console of EventBridge Scheduler.`,
    );
  const rate = rateOf(expression);
  if (rate === undefined)
    return unknown(
      `the schedule ${name} has the expression ${expression}, which doctor cannot read`,
      'Read the invocations of its function in CloudWatch.',
    );
  const since = lastRun ?? createdOn;
  if (since !== undefined && now.getTime() - since.getTime() <= 2 * rate + late) return [];
  return problem(
    `${functionOf[name]} has not run for twice as long as its schedule says: ${expression}`,
    'drawbridge dlq show MissedRuns, which names the error of a run that could not be started',
  );
}

const units: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** In milliseconds; undefined for an expression that is not a rate. */
function rateOf(expression: string): number | undefined {
  const [, number, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const milliseconds = units[unit];
  return number === undefined || milliseconds === undefined ? undefined : Number(number) * milliseconds;
}

async function readSchedule(
  { clients, resources }: Deployment,
  { name, now, late }: Time & { readonly name: ScheduleName },
): Promise<ScheduleState> {
  const { idOf } = await resources();
  const {
    State,
    ScheduleExpression: expression = '',
    CreationDate: createdOn,
  } = await clients.scheduler.send(new GetScheduleCommand({ Name: idOf('schedule', name) }));
  const within = 2 * (rateOf(expression) ?? 0) + late;
  const Metric = {
    Namespace: 'AWS/Lambda',
    MetricName: 'Invocations',
    Dimensions: [{ Name: 'FunctionName', Value: idOf('function', functionOf[name]) }],
  };
  const valuesOf = await readValues(
    clients,
    [{ Id: 'runs', MetricStat: { Metric, Period: metricPeriod, Stat: 'Sum' } }],
    { from: now.getTime() - within, until: now.getTime() },
  );
  const [last] = valuesOf('runs');
  const lastRun = last && new Date(last.at);
  return { name, isEnabled: State === 'ENABLED', expression, createdOn, lastRun };
}
