import { createHash } from 'node:crypto';
import { Duration, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type CompositeAlarmProps,
  type IAlarm,
  type IAlarmAction,
  type IAlarmRule,
  type IMetric,
  Metric,
  type MetricOptions,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Subscription, SubscriptionProtocol, Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { DataStack } from '#infra/data-stack.ts';
import type { Settings } from '#infra/settings.ts';
import { type AlarmPart, writeAlarmText } from '#shared/alarm-text.ts';
import {
  type CountName,
  type DurationName,
  environmentDimension,
  type MeasureName,
  metricsNamespace,
} from '#shared/lambda/metrics.ts';
import { version } from '#shared/version.ts';
import { acknowledge } from './acknowledge.ts';
import type { DrawbridgeFunction } from './function.ts';
import { onlyThisAccount } from './only-this-account.ts';
import { addOutput } from './output.ts';
import { commandLinesOf, listSubscriptions, type RunbookCommand } from './runbook-commands.ts';

/** Goes off above this; or below that, and if nothing is measured. */
type Limit = { readonly above: number } | { readonly below: number };

/** An alarm, as the construct that owns it declares it. Its texts hold no personal data: they leave with notifications. */
export type AlarmDeclaration = Limit & {
  readonly metric: IMetric;
  /** Stays off until the environment is configured: without a token this alarm would only repeat `NotConfigured`. */
  readonly onlyWhenConfigured?: boolean;
  /**
   * Whether it is on a condition, and ends with the condition. If not, it is on an event, after which nothing says that all is well: it
   * notifies no end, so that an incident stays open until an operator closes it.
   */
  readonly hasEnd: boolean;
  /** The metric has values only if something happens: an alarm with an end ends without values too. */
  readonly isSparse?: boolean;
  /**
   * Stays off until this alarm, which keeps its state, has had a value: nothing can be missing before. An alarm that a release adds
   * together with this one: CloudWatch keeps the state of those before.
   */
  readonly onlyAfterFirstValueOf?: string;
  /**
   * Of an alarm on missing values that waits for another one: how much later than there its first value can come after a deployment.
   * Two minutes unless given: CloudWatch evaluates the same value up to a minute apart.
   */
  readonly firstValueWithin?: Duration;
  /** The setting without which there is no such alarm. */
  readonly setting?: keyof Settings;
  /** Of a percentile: keeps its state while a period has too few values for the percentile to say something. */
  readonly ignoresFewValues?: boolean;
  /** For so many periods in a row; one unless given. */
  readonly periods?: number;
  /** Of so many periods, `periods` suffice, in any order: for what repeats less often than each period. */
  readonly outOf?: number;
  /** What it concerns in the picture of the console; undefined if all of it. */
  readonly part: AlarmPart | undefined;
  /** What has happened, and what it does or does not affect. */
  readonly meaning: string;
  /** What an operator does. */
  readonly remedy: string;
  /** Commands to copy. Empty only if the remedy needs none. */
  readonly commands: readonly RunbookCommand[];
};

type Waiting = { readonly alarmDescription: string; readonly waitsFor: IAlarmRule };

/** By the name of the alarm. */
export type AlarmDeclarations = Readonly<Record<string, AlarmDeclaration>>;

/** The alarm that is on from the first deployment until the credentials are stored. */
export const notConfiguredAlarm = 'NotConfigured';

/** The page that is generated from all declarations, from the root of the repository. */
export const alarmsPage = 'docs/reference/alarms.md';

export type AlarmsProps = {
  readonly data: Pick<DataStack, 'environmentName' | 'alarmsKey' | 'formerAlarmsKey'>;
  readonly settings: Pick<Settings, 'runbookUrl' | 'alarmSubscribers'>;
};

/**
 * Every alarm of the stack, and the topic that they notify. Each construct declares its own alarms and adds them here, so
 * that the name of an alarm is all that its logical id depends on. On CloudWatch the name begins with the environment.
 */
export class Alarms extends Construct {
  readonly topic: Topic;
  readonly #declared = new Map<string, AlarmDeclaration>();
  readonly #notifying: AlarmBase[] = [];
  readonly #closing: AlarmBase[] = [];
  readonly #onMetrics = new Map<string, Alarm>();

  readonly #runbookUrl: string | undefined;
  readonly #namePrefix: string;
  readonly #environmentName: string;

  constructor(scope: Construct, id: string, { data, settings }: AlarmsProps) {
    super(scope, id);
    this.#environmentName = data.environmentName;
    this.#namePrefix = `drawbridge-${data.environmentName}-`;
    this.#runbookUrl = settings.runbookUrl?.replaceAll('{version}', version);
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com', { conditions: onlyThisAccount(this) });
    this.topic = new Topic(this, 'Topic', { masterKey: data.alarmsKey, enforceSSL: true });
    // enforceSSL gives the topic a policy of its own, in place of the one that lets the account's alarms publish.
    this.topic.grantPublish(cloudWatch);
    // The data stack is deployed first: without the former key, no alarm would notify until the topic has the other one.
    for (const key of [data.alarmsKey, data.formerAlarmsKey])
      key?.grant(cloudWatch, 'kms:Decrypt', 'kms:GenerateDataKey');
    addOutput(this, 'AlarmTopicArn', 'Subscribe the operators on call to this topic', this.topic.topicArn);
    for (const endpoint of new Set(settings.alarmSubscribers)) subscribe(this.topic, endpoint);
    this.add(topicAlarms(this.topic));
  }

  /** What was added, by the name of the alarm. */
  get declared(): ReadonlyMap<string, AlarmDeclaration> {
    return this.#declared;
  }

  /** Those that notify the topic. */
  get notifying(): readonly IAlarm[] {
    return this.#notifying;
  }

  /** Has each of them do more when it goes off. */
  addAlarmAction(...actions: readonly IAlarmAction[]): void {
    for (const alarm of this.#notifying) alarm.addAlarmAction(...actions);
  }

  /** Has each of them that ends by itself do more when it ends. */
  addOkAction(...actions: readonly IAlarmAction[]): void {
    for (const alarm of this.#closing) alarm.addOkAction(...actions);
  }

  /** An alarm that others wait for is declared before them. */
  add(declarations: AlarmDeclarations): void {
    for (const [name, declaration] of Object.entries(declarations)) {
      const alarmDescription = this.#describe(name, declaration);
      const waitsFor = this.#waitsFor(declaration);
      const alarm = waitsFor
        ? this.#addWaiting(name, declaration, { alarmDescription, waitsFor })
        : this.#addAlarm(name, declaration, alarmDescription);
      alarm.addAlarmAction(new SnsAction(this.topic));
      if (declaration.hasEnd) {
        alarm.addOkAction(new SnsAction(this.topic));
        this.#closing.push(alarm);
      }
      this.#declared.set(name, declaration);
      this.#notifying.push(alarm);
    }
  }

  /** An alarm that is on while any notifying alarm is on, and sends no notification of its own. Created after all others. */
  addAny(): IAlarm {
    return this.#addComposite(
      'AnyAlarm',
      AlarmRule.anyOf(...this.#notifying.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM))),
      `At least one alarm of this environment is on. Each alarm sends its own notification: this one sends none. Runbook: ${this.#runbookUrl ?? this.#command('ls')}`,
    );
  }

  /** What a notification, `drawbridge alarms` and the console show: CloudWatch takes 1,024 characters. */
  #describe(name: string, { meaning, remedy, commands, part }: AlarmDeclaration): string {
    const text = { means: meaning, fix: remedy, commands: commandLinesOf(commands) };
    const url = this.#runbookUrl && `${this.#runbookUrl}#${name.toLowerCase()}`;
    return writeAlarmText(
      { ...text, part: part ?? '', runbook: url ?? this.#command(`show ${name}`) },
      this.#environmentName,
    );
  }

  /** Works in every repository that deploys: a page would be in the npm package, or in a fork. */
  #command(command: string): string {
    return `npx --no -- drawbridge alarms ${command} --env ${this.#environmentName}`;
  }

  #addComposite(
    id: string,
    alarmRule: IAlarmRule,
    alarmDescription: string,
    more: Partial<CompositeAlarmProps> = {},
  ): CompositeAlarm {
    const compositeAlarmName = this.#namePrefix + id;
    return new CompositeAlarm(this, id, { compositeAlarmName, alarmRule, alarmDescription, ...more });
  }

  #addAlarm(id: string, declaration: AlarmDeclaration, alarmDescription: string): Alarm {
    const alarm = new Alarm(this, id, {
      alarmName: this.#namePrefix + id,
      alarmDescription,
      metric: declaration.metric,
      evaluationPeriods: declaration.outOf ?? declaration.periods ?? 1,
      ...(declaration.outOf !== undefined && { datapointsToAlarm: declaration.periods ?? 1 }),
      ...(declaration.ignoresFewValues && { evaluateLowSampleCountPercentile: 'ignore' }),
      ...comparison(declaration),
    });
    this.#onMetrics.set(id, alarm);
    return alarm;
  }

  /**
   * What must hold for an alarm that waits. The alarm that it waits for has no data when the stack is created, so that nothing goes
   * off before the first run either. What keeps that run from happening has an alarm that waits for nothing.
   */
  #waitsFor({ onlyWhenConfigured, onlyAfterFirstValueOf }: AlarmDeclaration): IAlarmRule | undefined {
    if (onlyWhenConfigured) return AlarmRule.fromAlarm(this.#onMetric(notConfiguredAlarm), AlarmState.OK);
    if (onlyAfterFirstValueOf === undefined) return undefined;
    return AlarmRule.not(AlarmRule.fromAlarm(this.#onMetric(onlyAfterFirstValueOf), AlarmState.INSUFFICIENT_DATA));
  }

  #onMetric(name: string): Alarm {
    const alarm = this.#onMetrics.get(name);
    if (alarm === undefined) throw new TypeError(`Declare ${name} before the alarms that wait for it.`);
    return alarm;
  }

  /** An alarm on the metric, without a notification, and one that goes off with it if the rule holds too. */
  #addWaiting(name: string, declaration: AlarmDeclaration, { alarmDescription, waitsFor }: Waiting): CompositeAlarm {
    const onMetric = this.#addAlarm(`${name}Metric`, declaration, `Sends no notification: ${name} does.`);
    acknowledge(onMetric, 'CloudWatchAlarmAction', `It sends no notification of its own: the alarm ${name} does.`);
    const rule = AlarmRule.allOf(AlarmRule.fromAlarm(onMetric, AlarmState.ALARM), waitsFor);
    const wait = declaration.firstValueWithin ?? Duration.minutes(2);
    return this.#addComposite(name, rule, alarmDescription, {
      // An alarm on missing values is on before the first value. The first value of the alarm that it waits for can come earlier: this
      // must send no notification. An alarm on an event can be over by then, and must not wait.
      ...('below' in declaration && {
        actionsSuppressor: this.#onMetric(notConfiguredAlarm),
        actionsSuppressorWaitPeriod: wait,
        actionsSuppressorExtensionPeriod: wait,
      }),
    });
  }
}

/** Names each subscription by a digest: the order of the setting, and an address, are in no id. */
function subscribe(topic: Topic, endpoint: string): void {
  const digest = createHash('sha256').update(endpoint).digest('hex').slice(0, 8);
  const protocol = endpoint.startsWith('https:') ? SubscriptionProtocol.HTTPS : SubscriptionProtocol.EMAIL;
  const subscription = new Subscription(topic, `Subscriber${digest}`, { topic, endpoint, protocol });
  Validations.of(subscription).acknowledge({
    id: 'Serverless-SNSRedrivePolicy',
    reason: 'CloudWatch keeps the state of each alarm: a notification that came too late would only mislead.',
  });
}

function topicAlarms(topic: Topic): AlarmDeclarations {
  return {
    NotificationsFailed: {
      metric: topic.metricNumberOfNotificationsFailed({ period: Duration.minutes(5), statistic: 'Sum' }),
      above: 0,
      hasEnd: false,
      part: undefined,
      meaning:
        'SNS could not deliver notifications to a subscriber, such as an on-call service that does not answer. The others got them.',
      remedy:
        'Correct the address of the subscriber in alarmSubscribers. Read the state of every alarm on the dashboard meanwhile.',
      commands: [listSubscriptions('AlarmTopicArn')],
    },
  };
}

/** An alarm on a condition keeps its state without values: nothing says that the condition is over. */
function comparison(declaration: AlarmDeclaration) {
  if ('above' in declaration)
    return {
      threshold: declaration.above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData:
        !declaration.hasEnd || declaration.isSparse ? TreatMissingData.NOT_BREACHING : TreatMissingData.IGNORE,
    };
  return {
    threshold: declaration.below,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.BREACHING,
  };
}

/** A metric that our functions write, of the environment of a function or of the data stack. */
export function ownMetric(
  { environmentName }: { readonly environmentName: string },
  metricName: CountName | MeasureName | DurationName,
  options: MetricOptions,
): Metric {
  const dimensionsMap = { [environmentDimension]: environmentName };
  return new Metric({ namespace: metricsNamespace, metricName, dimensionsMap, ...options });
}

/** How often `wake` publishes the gauges. */
export const gaugeInterval = Duration.minutes(5);

/** A measure that `wake` reads from the indexes: how many there are now, or how old the oldest is. */
export function gauge(
  of: { readonly environmentName: string },
  metricName: MeasureName,
  statistic = 'Maximum',
): Metric {
  return ownMetric(of, metricName, { period: gaugeInterval, statistic });
}

/**
 * Of an alarm on failures of calls that the platform or the partner makes, which can be rare: goes off after about 11 minutes in which
 * each call fails, or within the hour if there is a call every 15 minutes. A burst of five minutes is in two periods at most.
 */
export const failingCalls = { above: 0, periods: 3, outOf: 10, hasEnd: true, isSparse: true } as const;

/** The period of an alarm on {@link failingCalls}. */
export const callsPeriod = Duration.minutes(5);

/** How often a function crashed or exceeded its time limit. */
export function errorsOf({ lambda }: DrawbridgeFunction, period = Duration.minutes(1)): Metric {
  return lambda.metricErrors({ period, statistic: 'Sum' });
}

/** How many messages a queue holds. */
export function visibleMessages(queue: Queue, period = Duration.minutes(1)): Metric {
  return queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' });
}

/** For how long the oldest message of a queue has waited. */
export function oldestMessage(queue: Queue, period = Duration.minutes(1)): Metric {
  return queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' });
}
