import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type AlarmProperties,
  alarmProperties,
  compositeAlarmProperties,
} from '#sandbox/aws/cloud-watch/alarm-types.ts';
import { createAlarms, type DeclaredAlarms } from '#sandbox/aws/cloud-watch/alarms.ts';
import { createMetricStore } from '#sandbox/aws/cloud-watch/metric-store.ts';
import { createTrialApp, trialResources } from '#test/infra/shared-trial-apps.ts';

/** Values of metrics by their names, as CloudWatch gets them in one minute. */
type Values = Readonly<Record<string, number>>;

/** What CloudWatch gets of a condition, every so many minutes. */
type Condition = {
  readonly every: number;
  readonly healthy: Values;
  /** Once, when the condition begins. */
  readonly begins?: Values;
  readonly stands: Values;
};

/** What CloudWatch gets of a single event. */
type SingleEvent = { readonly event: Values; readonly every?: number; readonly healthy?: Values };

const messages = 'ApproximateNumberOfMessagesVisible';
const age = 'ApproximateAgeOfOldestMessage';
const held = (every: number, name: string, healthy: number, stands: number): Condition => ({
  every,
  healthy: { [name]: healthy },
  stands: { [name]: stands },
});
/** A queue that holds a message until an operator acts. */
const deadLetter = held(1, messages, 0, 1);

/** With the alarms that need a setting. */
const withBackups = { backup: { retentionDays: 40 } };
const { declared } = createTrialApp(withBackups).service.alarms;

/** What drives each alarm that the constructs declare. */
const statedRows: Readonly<Record<string, Condition | SingleEvent>> = {
  NotificationsFailed: { event: { NumberOfNotificationsFailed: 1 } },
  MissedRuns: deadLetter,
  MessagesFailedRepeatedly: { every: 15, healthy: {}, stands: { MessagesFailedRepeatedly: 1 } },
  NotConfigured: held(5, 'CredentialsMissing', 0, 1),
  TokenRunsOut: held(5, 'TokenSecondsLeft', 2_400, 600),
  // SQS takes no second report of a refused token for five minutes, and callers report it each minute.
  TokenRefreshesFailed: { every: 6, healthy: {}, stands: { TokenRefreshesFailed: 1 } },
  // SQS retries every two minutes.
  RefreshErrors: held(2, 'Errors', 0, 1),
  TokenRefreshesLate: held(1, age, 0, 3_600),
  TokenRefreshesDlq: deadLetter,
  ErasePersonErrors: { event: { Errors: 1 } },
  // An onboarding looks again within an hour.
  UnknownWords: { every: 60, healthy: {}, stands: { UnknownStatuses: 1 } },
  OnboardingsStopped: { ...held(5, 'OnboardingsNowStopped', 0, 1), begins: { OnboardingsStopped: 1 } },
  OnboardingsStalled: { ...held(5, 'OnboardingsNowStalled', 0, 1), begins: { OnboardingsStalled: 1 } },
  WakeErrors: held(5, 'Errors', 0, 1),
  OnboardingsDueLate: { every: 5, healthy: {}, stands: { OldestDueAge: 700 } },
  ErasuresUnfinished: held(5, 'OldestErasureAge', 0, 4_000),
  StandInsUsed: held(5, 'StandInsUsed', 0, 1),
  GaugesMissing: { every: 5, healthy: { ErasuresUnfinished: 0, OldestErasureAge: 0 }, stands: {} },
  OnboardingDlq: deadLetter,
  OnboardingLate: held(1, age, 0, 4_000),
  AdvanceRecursion: { event: { RecursiveInvocationsDropped: 1 } },
  RefreshRecursion: { event: { RecursiveInvocationsDropped: 1 } },
  StoreRecursion: { event: { RecursiveInvocationsDropped: 1 } },
  RequestsDlq: deadLetter,
  RequestsLate: held(1, age, 0, 1_000),
  RequestsLost: { event: { InvocationsFailedToBeSentToDlq: 1 } },
  DeliveriesOutOfRange: { event: { DeliveriesOutOfRange: 1 } },
  DeliveriesUnauthorized: { every: 5, healthy: {}, stands: { DeliveriesUnauthorized: 11 } },
  RegisterErrors: held(2, 'Errors', 0, 1),
  RegistrationsFailed: held(2, 'RegistrationsFailed', 0, 1),
  RegistrationsMissing: { event: { RegistrationsMissing: 1 }, every: 2, healthy: { RegistrationsMissing: 0 } },
  RegistrationsDrifted: { event: { RegistrationsDrifted: 1 }, every: 2, healthy: { RegistrationsDrifted: 0 } },
  RegistrationsForeign: held(2, 'RegistrationsForeign', 0, 1),
  EventsQuarantined: { ...held(5, 'EventsNowQuarantined', 0, 1), begins: { EventsQuarantined: 1 } },
  QuarantineExpires: held(5, 'QuarantinedExpiring', 0, 1),
  WebhooksDlq: deadLetter,
  WebhooksLate: held(1, age, 0, 1_000),
  ServiceLevelBurns: { every: 5, healthy: { ReceiptToBusDuration: 300 }, stands: { ReceiptToBusDuration: 70_000 } },
  WebhooksRefusedByUs: held(1, '5xx', 0, 1),
  DrainErrors: held(5, 'Errors', 0, 1),
  DrainSilent: { every: 5, healthy: { UndeliveredFound: 0 }, stands: {} },
  UndeliveredLate: { event: { UndeliveredLate: 1 } },
  UndeliveredOld: held(5, 'OldestUndeliveredAge', 0, 4_000),
  UndeliveredMarksRefused: held(5, 'UndeliveredMarksRefused', 0, 2),
  UndeliveredBehindForeign: held(5, 'UndeliveredBehindForeign', 0, 3),
  UndeliveredUntimed: held(5, 'UndeliveredUntimed', 0, 3),
  ReconcileErrors: held(60, 'Errors', 0, 1),
  ReconcileSilent: { every: 60, healthy: { ReconciliationsCompleted: 1 }, stands: {} },
  DriftFound: { event: { DriftFound: 1 } },
  BackupsFailed: deadLetter,
  KeyDisabled: deadLetter,
};

/** The others on the errors of a function, which runs every minute and fails. */
const onErrors = [...declared]
  .filter(([, { metric }]) => metric instanceof Metric && metric.metricName === 'Errors')
  .map(([alarm]) => [alarm, held(1, 'Errors', 0, 1)] as const);
const rows = { ...Object.fromEntries<Condition | SingleEvent>(onErrors), ...statedRows };

const { service } = trialResources(withBackups);
const deployed = <Properties>(type: string, schema: z.ZodType<Properties>) =>
  service
    .filter(({ Type }) => Type === type)
    .map(({ name, Properties }) => ({ arn: `<${name}.Arn>`, properties: schema.parse(Properties) }));
const alarms: DeclaredAlarms = {
  alarms: deployed('AWS::CloudWatch::Alarm', alarmProperties),
  compositeAlarms: deployed('AWS::CloudWatch::CompositeAlarm', compositeAlarmProperties),
};

const nameOf = (alarm: string) => `drawbridge-trial-${alarm}`;

/** The alarm, and those that its rule reads. */
function withParts(alarm: string): DeclaredAlarms {
  const compositeAlarms = alarms.compositeAlarms.filter(({ properties }) => properties.AlarmName === nameOf(alarm));
  const isPart = (arn: string) => compositeAlarms.some(({ properties }) => properties.AlarmRule.includes(arn));
  return {
    compositeAlarms,
    alarms: alarms.alarms.filter(({ arn, properties }) => properties.AlarmName === nameOf(alarm) || isPart(arn)),
  };
}

const minute = 60_000;
/** On a day, and long after the epoch: periods without a value count as missing from the first evaluation on. */
const start = Date.parse('2026-01-05T00:00:00Z');

/** Evaluates alarms minute by minute on values that are fed by the name of their metric. */
function createTimeline(some: DeclaredAlarms) {
  const metrics = createMetricStore();
  let time = start;
  const evaluated = createAlarms(some, { metrics, now: () => new Date(time), metricsSince: () => new Date(0) });

  function feed(values: Values, of: (alarm: AlarmProperties) => boolean = () => true): void {
    const ids = new Map(
      some.alarms
        .filter(({ properties }) => of(properties))
        .map(({ properties: { Namespace: namespace, MetricName: name, Dimensions } }) => {
          const dimensions = Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]));
          return [JSON.stringify([namespace, name, dimensions]), { namespace, name, dimensions }];
        }),
    );
    for (const id of ids.values()) {
      const value = values[id.name];
      if (value !== undefined) metrics.add(id, value, time);
    }
  }

  return {
    feed,
    /** Lets a minute pass. Returns the states then. */
    pass: () => {
      time += minute;
      return evaluated.now();
    },
  };
}

/** How many minutes surely show every change of an alarm. */
function enough({ alarms: metricAlarms }: DeclaredAlarms): number {
  return Math.max(...metricAlarms.map((one) => (one.properties.Period / 60) * (one.properties.EvaluationPeriods + 1)));
}

/** What an alarm notifies, and whether it was on in each minute, in a time of `healthy`, of `standing`, and of `healthy` again. */
function run(alarm: string, row: Condition | SingleEvent) {
  const some = withParts(alarm);
  const timeline = createTimeline(some);
  const minutes = enough(some);
  const { every = 5, healthy = {} } = row;
  const standing = 'event' in row ? { begins: row.event, stands: healthy } : { begins: {}, ...row };
  let state = 'INSUFFICIENT_DATA';

  function live(values: Values, first: Values = {}) {
    const notified: string[] = [];
    const isOn: boolean[] = [];
    for (let passed = 0; passed < minutes; passed += 1) {
      if (passed === 0) timeline.feed(first);
      else if (passed % every === 0) timeline.feed(values);
      // All other alarms of the test wait for the configuration.
      if (alarm !== 'NotConfigured' && passed % 5 === 0) timeline.feed({ CredentialsMissing: 0 });
      const now = timeline.pass().find(({ name }) => name === nameOf(alarm));
      if (now === undefined) throw new Error(`There is no alarm ${alarm}.`);
      if (now.state !== state && (now.state === 'ALARM' ? now.actions : now.okActions).length > 0)
        notified.push(now.state);
      state = now.state;
      isOn.push(state === 'ALARM');
    }
    return { notified, isOn };
  }

  // The first values are there from the beginning.
  return {
    before: live(healthy, healthy),
    during: live(standing.stands, standing.begins),
    after: live(healthy, healthy),
  };
}

/** Whether an alarm is on from the minute in which it goes off, to the end. */
function staysOn(isOn: readonly boolean[]): boolean {
  const first = isOn.indexOf(true);
  return first !== -1 && isOn.slice(first).every((on) => on);
}

describe('an alarm', () => {
  it('has a row in the table of this file', () => {
    expect(Object.keys(rows).toSorted()).toEqual([...declared.keys()].toSorted());
  });

  it('is on a condition, or on a single event', () => {
    for (const [alarm, { hasEnd }] of declared) expect('event' in (rows[alarm] ?? {}), alarm).toBe(!hasEnd);
  });
});

const cases = Object.entries(rows).map(([alarm, row]) => ({ alarm, row }));

it.each(cases.filter(({ row }) => !('event' in row)))(
  'turns the alarm $alarm on while its condition stands, and notifies its beginning and its end',
  ({ alarm, row }) => {
    const { before, during, after } = run(alarm, row);
    expect(before.isOn).not.toContain(true);
    expect(staysOn(during.isOn)).toBe(true);
    expect(after.isOn.at(-1)).toBe(false);
    expect([...during.notified, ...after.notified]).toEqual(['ALARM', 'OK']);
  },
);

it.each(cases.filter(({ row }) => 'event' in row))(
  'turns the alarm $alarm on at its event, and notifies no end',
  ({ alarm, row }) => {
    const { before, during, after } = run(alarm, row);
    expect(before.isOn).not.toContain(true);
    expect(during.isOn).toContain(true);
    expect([...during.notified, ...after.notified]).toEqual(['ALARM']);
  },
);

describe.each([
  ['ReceiveErrors', 'Errors'],
  ['QueryErrors', 'Errors'],
  ['ApiErrors', 'Errors'],
  ['UpdatePersonErrors', 'Errors'],
  ['WebhooksRefusedByUs', '5xx'],
])('the alarm %s on calls that can be rare', (alarm, metric) => {
  it.each([
    { every: 1, within: 12 },
    { every: 5, within: 20 },
    { every: 15, within: 60 },
  ])('goes off within $within minutes if a call fails every $every minutes, and ends without a call', (row) => {
    const { during, after } = run(alarm, { every: row.every, healthy: {}, stands: { [metric]: 1 } });
    expect(staysOn(during.isOn.slice(0, row.within))).toBe(true);
    expect(staysOn(during.isOn)).toBe(true);
    expect([...during.notified, ...after.notified]).toEqual(['ALARM', 'OK']);
  });

  it('stays off after a burst of five minutes', () => {
    const timeline = createTimeline(withParts(alarm));
    const states = Array.from({ length: 90 }, (_, passed) => {
      timeline.feed({ [metric]: passed >= 20 && passed < 25 ? 40 : 0 });
      return timeline.pass().map(({ state }) => state);
    });
    expect(states.flat()).not.toContain('ALARM');
  });
});

describe('a service that is deployed again to a configured environment', () => {
  /** For how many minutes an alarm waits in ALARM before it notifies: its suppressor stays off meanwhile. */
  function waitOf(alarm: string): number {
    const composite = alarms.compositeAlarms.find(({ properties }) => properties.AlarmName === nameOf(alarm));
    return z.coerce.number().default(0).parse(composite?.properties.ActionsSuppressorWaitPeriod) / 60;
  }

  /** The minutes in which an alarm notifies, if no metric has values before the first refresh, in minute 3. */
  function notifiedIn(alarm: string, valuesIn: (passed: number) => Values): readonly number[] {
    const timeline = createTimeline(withParts(alarm));
    let since = 0;
    return Array.from({ length: 60 }, (_, passed) => {
      timeline.feed({ ...(passed >= 3 && passed % 5 === 3 && { CredentialsMissing: 0 }), ...valuesIn(passed) });
      const isOn = timeline.pass().some(({ name, state }) => name === nameOf(alarm) && state === 'ALARM');
      since = isOn ? since + 1 : 0;
      return since === waitOf(alarm) + 1 ? passed : [];
    }).flat();
  }

  it.each([
    ['TokenRunsOut', 'TokenSecondsLeft', 2_400, 1],
    ['DrainSilent', 'UndeliveredFound', 0, 4],
  ])(
    'does not notify %s, although the first value of %s comes later than that of NotConfigured',
    (alarm, name, value, later) => {
      expect(notifiedIn(alarm, (passed) => (passed >= 3 + later ? { [name]: value } : {}))).toEqual([]);
    },
  );

  it.each([
    ['TokenRunsOut', 5],
    ['DrainSilent', 8],
  ])('notifies %s in minute %i if the value never comes', (alarm, notified) => {
    expect(notifiedIn(alarm, () => ({}))).toEqual([notified]);
  });
});

describe('the first deployment', () => {
  /** The alarms that notify and are on after some hours in which only this queue had a message, which no function took. */
  function onAfterHours(deadQueue?: string): readonly string[] {
    const timeline = createTimeline(alarms);
    let on: readonly string[] = [];
    for (let passed = 0; passed < 180; passed += 1) {
      timeline.feed({ [age]: passed * 60 }, ({ AlarmName }) => AlarmName === nameOf(deadQueue ?? ''));
      on = timeline
        .pass()
        .filter(({ state, actions }) => state === 'ALARM' && actions.length > 0)
        .map(({ name }) => name);
    }
    return on;
  }

  it('raises no alarm on missing values before the first run', () => {
    expect(onAfterHours()).toEqual([]);
  });

  it.each(['TokenRefreshesLate', 'OnboardingLate', 'RequestsLate', 'WebhooksLate'])(
    'raises %s when the event source mapping of the queue is dead, although nothing was configured yet',
    (alarm) => {
      expect(onAfterHours(alarm)).toEqual([nameOf(alarm)]);
    },
  );
});
