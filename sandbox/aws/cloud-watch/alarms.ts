import { type AlarmRule, readAlarmRule } from './alarm-rule.ts';
import type { AlarmProperties, CompositeAlarmProperties } from './alarm-types.ts';
import { type AlarmState, type Evaluation, evaluateAlarm } from './evaluate-alarm.ts';
import { isMeasured, type MetricStore } from './metric-store.ts';

/** An alarm with its state now. */
export type AlarmNow = Evaluation & {
  readonly name: string;
  readonly arn: string;
  readonly description: string | undefined;
  readonly isComposite: boolean;
  /** The ARNs of what the alarm notifies on AWS when it goes off. */
  readonly actions: readonly string[];
  /** The same for when it is over. None for an alarm on a single event. */
  readonly okActions: readonly string[];
  /** Since when it has this state, in milliseconds since 1970. */
  readonly since: number;
};

export type Alarms = {
  readonly now: () => readonly AlarmNow[];
  /** Sets a state until the next minute, as an operator does to test notifications. @returns false for an unknown name */
  readonly set: (name: string, evaluation: Evaluation) => boolean;
};

/** The alarms of the stacks, as a blueprint has them. */
export type DeclaredAlarms = {
  readonly alarms: readonly { readonly arn: string; readonly properties: AlarmProperties }[];
  readonly compositeAlarms: readonly { readonly arn: string; readonly properties: CompositeAlarmProperties }[];
};

export type AlarmsDeps = {
  readonly metrics: MetricStore;
  readonly now: () => Date;
  /** Since when there are metrics. Periods before that do not count as missing. */
  readonly metricsSince: () => Date;
};

type Known = Evaluation & { readonly since: number; readonly setInMinute?: number };

const minute = 60_000;

/** The alarms of the stacks. A read evaluates them. */
export function createAlarms(
  { alarms, compositeAlarms }: DeclaredAlarms,
  { metrics, now, metricsSince }: AlarmsDeps,
): Alarms {
  const known = new Map<string, Known>();
  const rules: ReadonlyMap<string, AlarmRule> = new Map(
    compositeAlarms.map(({ arn, properties }) => [arn, readAlarmRule(properties.AlarmRule)]),
  );
  const all = [...alarms, ...compositeAlarms];

  function stateOf(nameOrArn: string): AlarmState {
    const alarm = all.find(({ arn, properties }) => arn === nameOrArn || properties.AlarmName === nameOrArn);
    return alarm === undefined ? 'INSUFFICIENT_DATA' : evaluate(alarm).state;
  }

  function evaluate(alarm: (typeof all)[number]): Known {
    const at = now().getTime();
    const before = known.get(alarm.arn);
    if (before?.setInMinute === Math.floor(at / minute)) return before;
    const found = evaluationOf(alarm, at, before?.state ?? 'INSUFFICIENT_DATA');
    const next = before?.state === found.state ? { ...found, since: before.since } : { ...found, since: at };
    known.set(alarm.arn, next);
    return next;
  }

  function evaluationOf(alarm: (typeof all)[number], at: number, before: AlarmState): Evaluation {
    const rule = rules.get(alarm.arn);
    if (rule !== undefined)
      return rule(stateOf)
        ? { state: 'ALARM', reason: 'Its rule holds.' }
        : { state: 'OK', reason: 'Its rule does not hold.' };
    const metricAlarm = alarms.find(({ arn }) => arn === alarm.arn);
    if (metricAlarm === undefined) return { state: before, reason: 'It has no rule and no metric.' };
    const { Namespace: namespace, MetricName: name } = metricAlarm.properties;
    const hasValues = metrics.ids().some((id) => id.namespace === namespace && id.name === name);
    if (!hasValues && !isMeasured({ namespace, name }))
      return { state: 'INSUFFICIENT_DATA', reason: `The laptop does not measure ${namespace}/${name}.` };
    return evaluateAlarm(metricAlarm.properties, { metrics, now: at, startedAt: metricsSince().getTime(), before });
  }

  return {
    now: () =>
      all.map((alarm) => {
        const { state, reason, since } = evaluate(alarm);
        const { AlarmName: name, AlarmDescription: description } = alarm.properties;
        const { AlarmActions: actions, OKActions: okActions } = alarm.properties;
        const isComposite = rules.has(alarm.arn);
        return {
          name,
          arn: alarm.arn,
          description,
          isComposite,
          actions,
          okActions,
          state,
          reason,
          since,
        };
      }),
    set: (name, evaluation) => {
      const alarm = all.find(({ properties }) => properties.AlarmName === name);
      if (alarm === undefined) return false;
      const at = now().getTime();
      known.set(alarm.arn, { ...evaluation, since: at, setInMinute: Math.floor(at / minute) });
      return true;
    },
  };
}
