import { Duration } from 'aws-cdk-lib';
import * as z from 'zod';
import { generated } from '#docs/generate/generated.ts';
import { type AlarmDeclaration, notConfiguredAlarm } from '#infra/parts/alarms.ts';
import { runbookFunctions } from '#infra/parts/runbook-commands.ts';
import {
  type AlarmProperties,
  alarmProperties,
  compositeAlarmProperties,
} from '#sandbox/aws/cloud-watch/alarm-types.ts';
import type { ReadableResource } from '#test/infra/stacks/readable-stack.ts';

/** `docs/reference/alarms.md`: each alarm as the service stack deploys it, with what the constructs declare of it. */
export function writeAlarms(
  declared: ReadonlyMap<string, AlarmDeclaration>,
  service: readonly ReadableResource[],
): string {
  const sections = [...declared].map(([name, declaration]) => writeAlarm(name, declaration, service));
  return `${[preface(silentIn(service)), shellFunctions, ...sections].join('\n\n')}\n`;
}

/** The alarms without an action. */
function silentIn(service: readonly ReadableResource[]): string {
  const silent = service.filter(
    ({ Type, Properties }) => /CloudWatch::(Composite)?Alarm$/.test(Type) && Properties['AlarmActions'] === undefined,
  );
  return silent.map(({ name }) => `\`${name.replace('Alarms/', '')}\``).join(', ');
}

const preface = (silent: string) => `${generated}

# Alarms

*For the operator on call.* \`npx --no -- drawbridge alarms ls --env production\` lists the alarms that are on. \`alarms show NAME\`, the page Alarms of
[the console](../how-to/console.md) and a notification have the texts of the section here. A notification links to the section with the setting
[\`runbookUrl\`](settings.md), and names the command \`alarms show\` without it.

An alarm ends with its condition, and notifies again. One that stays on until you close it notifies no end, though CloudWatch soon shows it as over.
\`3×5 minutes\` are 3 periods of 5 minutes in a row. \`3 of 4×5 minutes\` are any 3 of the last 4 periods.

These have no action, also after \`addAlarmAction\`: each \`…Metric\` is half of the condition of its alarm, and \`AnyAlarm\` shows on the
dashboard that an alarm is on: ${silent}.

## Commands of the sections

Replace \`production\` by the name of your environment, and other words in capitals. A command that changes something asks first. Also of use:

- \`npx --no -- drawbridge logs errors-by-function --env production\` counts the errors of each function.
- \`npx --no -- drawbridge dlq ls --env production\` counts the messages of each dead-letter queue. Purge or redrive a queue once the
  cause is fixed.
- \`npx --no -- drawbridge status --env production\` counts the messages of each queue: waiting, in flight, delayed.`;

const shellFunctions = `The others use these shell functions. Set \`STACK\` to the name of your service stack, such as \`drawbridge-production-service\`.

\`\`\`sh
${runbookFunctions}
\`\`\``;

function writeAlarm(name: string, declaration: AlarmDeclaration, service: readonly ReadableResource[]): string {
  const { meaning, remedy, commands, setting, hasEnd } = declaration;
  const shell = commands
    .map(({ does, shell: command }) => (does === undefined ? command : `# ${does}.\n${command}`))
    .join('\n');
  const notifying = service.find((resource) => resource.name === `Alarms/${name}`)?.Properties;
  return [
    `## ${name}`,
    [
      `**On**: ${condition(name, service)}.`,
      ...(notifying?.['OKActions'] === undefined || !hasEnd ? ['Stays on until you close it.'] : []),
      ...(setting === undefined ? [] : [`Only with the setting [\`${setting}\`](settings.md).`]),
    ].join(' '),
    meaning,
    `**Do**: ${remedy}`,
    ...(commands.length > 0 ? [`\`\`\`sh\n${shell}\n\`\`\``] : []),
  ].join('\n\n');
}

/** When it goes off, as CloudWatch evaluates it. */
function condition(name: string, service: readonly ReadableResource[]): string {
  const named = (id: string, type: string) =>
    service.find((resource) => resource.name === `Alarms/${id}` && resource.Type === `AWS::CloudWatch::${type}`);
  const composite = named(name, 'CompositeAlarm');
  const alarm = named(composite === undefined ? name : `${name}Metric`, 'Alarm');
  if (alarm === undefined) throw new Error(`There is no alarm ${name}.`);
  const onMetric = metricCondition(alarmProperties.parse(alarm.Properties));
  if (composite === undefined) return onMetric;
  const { AlarmRule } = compositeAlarmProperties.parse(composite.Properties);
  const rules = {
    [`(ALARM("<${alarm.name}.Arn>") AND OK("<Alarms/${notConfiguredAlarm}.Arn>"))`]: `, and [${notConfiguredAlarm}](#${notConfiguredAlarm.toLowerCase()}) is over`,
    [`(ALARM("<${alarm.name}.Arn>") AND (NOT (INSUFFICIENT_DATA("<Alarms/ErasuresUnfinished.Arn>"))))`]:
      ', and there was data before',
  };
  const waits = rules[AlarmRule];
  if (waits === undefined) throw new Error(`The page has no words for ${AlarmRule}.`);
  return onMetric + waits;
}

function metricCondition(properties: AlarmProperties): string {
  const { Namespace, MetricName, Statistic, ExtendedStatistic, Dimensions, Threshold, Period } = properties;
  const { EvaluationPeriods: periods, DatapointsToAlarm: needed = periods } = properties;
  const of = Dimensions.flatMap(({ Value }) => /^<(?<name>[^.<>]+)(?:\.\w+)?>$/.exec(Value)?.groups?.['name'] ?? []);
  const metric = `\`${ExtendedStatistic ?? nameOf(Statistic)}(${Namespace}/${MetricName})\`${of.length > 0 ? ` of \`${of.join('`, `')}\`` : ''}`;
  const limit = properties.ComparisonOperator === 'GreaterThanThreshold' ? `> ${Threshold}` : `< ${Threshold}`;
  const missing = properties.TreatMissingData === 'breaching' ? ', or there is no data,' : '';
  const period = Duration.seconds(Period).toHumanString();
  const time = periods === 1 ? `in ${period}` : `for ${needed === periods ? '' : `${needed} of `}${periods}×${period}`;
  return `${metric} ${limit}${missing} ${time}`;
}

const statisticNames = { Sum: 'sum', Maximum: 'max', SampleCount: 'samples' };

function nameOf(statistic: string | undefined): string {
  return z
    .enum(['Sum', 'Maximum', 'SampleCount'])
    .transform((known) => statisticNames[known])
    .parse(statistic);
}
