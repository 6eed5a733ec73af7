import { CfnElement, Stack } from 'aws-cdk-lib';
import * as z from 'zod';
import { type AlarmDeclaration, notConfiguredAlarm } from '#infra/parts/alarms.ts';
import { runbookFunctions } from '#infra/parts/runbook-commands.ts';
import type { ServiceStack } from '#infra/service-stack.ts';
import { generated } from './generated.ts';

/** `docs/reference/alarms.md`: each alarm that the constructs declare, with what to do. */
export function writeAlarms(service: ServiceStack): string {
  const declared = [...service.alarms.declared];
  const links = declared.map(([name]) => `[${name}](#${name.toLowerCase()})`);
  const sections = declared.map(([name, declaration]) => writeAlarm(name, declaration, service));
  return `${[preface, links.join(' · '), shellFunctions, ...sections].join('\n\n')}\n`;
}

const preface = `${generated}

# Alarms

*For the operator on call.* Each alarm of the service stack has a section: when it goes off, when it closes, what it means, and what to do.
Every alarm notifies the topic in the output \`AlarmTopicArn\` when it goes off. The notification has the same texts, and ends with a link to
the section here. The setting [\`runbookUrl\`](settings.md) makes the link a URL. An alarm holds no personal data.

There are two kinds of alarms:

- An alarm on a condition stays on while the condition stands, and notifies the topic when it is over. Without new values it keeps its state.
- An alarm on a single event notifies no end. Its incident stays open until you close it. On CloudWatch the alarm itself is over after some minutes.`;

const shellFunctions = `\`npx drawbridge doctor --env production\` names the alarms that are on. In the commands below, replace \`production\` by the name of
your environment. [Command line](cli.md) describes them. A command that changes something asks first.

The commands of the AWS CLI use these shell functions. Set \`STACK\` to the name of your service stack first, such as
\`drawbridge-production-service\`.

\`\`\`sh
${runbookFunctions}
\`\`\``;

function writeAlarm(name: string, declaration: AlarmDeclaration, stack: Stack): string {
  const { meaning, remedy, commands, setting, closes } = declaration;
  const shell = commands.map(({ does, shell: command }) => `# ${does}.\n${command}`).join('\n\n');
  return [
    `## ${name}`,
    `**Goes off** when ${condition(declaration, stack)}.`,
    closes === 'manually' ? '**Stays** until you close it.' : `**Closes** by itself when ${closes.when}.`,
    ...(setting === undefined ? [] : [`Only with the setting [\`${setting}\`](settings.md).`]),
    `**Means**: ${meaning}`,
    `**Do**: ${remedy}`,
    ...(commands.length > 0 ? [`\`\`\`sh\n${shell}\n\`\`\``] : []),
  ].join('\n\n');
}

/** When it goes off, as CloudWatch evaluates it. */
function condition(declaration: AlarmDeclaration, stack: Stack): string {
  const { metricStat } = declaration.metric.toMetricConfig();
  if (metricStat === undefined) throw new Error('The alarm is on no single metric.');
  const { namespace, metricName, statistic, dimensions = [], period } = metricStat;
  const of = dimensions.flatMap(({ value }) => resourceNames(stack.resolve(value), stack));
  const metric = `\`${namespace}/${metricName}\`${of.length > 0 ? ` of \`${of.join('`, `')}\`` : ''}`;
  const limit =
    'above' in declaration ? `above ${declaration.above}` : `below ${declaration.below}, or there is no data,`;
  const periods = declaration.periods ?? 1;
  const time =
    periods === 1 ? `in ${period.toHumanString()}` : `in ${periods} periods of ${period.toHumanString()} in a row`;
  const configured = declaration.onlyWhenConfigured
    ? `, and [${notConfiguredAlarm}](#${notConfiguredAlarm.toLowerCase()}) is over`
    : '';
  const measured = declaration.onlyAfterFirstValueOf ? ', and there was data before' : '';
  return `the ${nameOf(statistic)} of ${metric} is ${limit} ${time}${configured}${measured}`;
}

const statisticNames = { Sum: 'sum', Maximum: 'maximum', SampleCount: 'number of samples' };

function nameOf(statistic: string): string {
  return z
    .enum(['Sum', 'Maximum', 'SampleCount'])
    .transform((known) => statisticNames[known])
    .parse(statistic);
}

const reference = z.union([
  z.object({ Ref: z.string() }).transform(({ Ref }) => Ref),
  z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }).transform((value) => value['Fn::GetAtt'][0]),
]);

/** The construct that a dimension refers to, by its path in the stack. A name that is given says nothing more. */
function resourceNames(value: unknown, stack: Stack): readonly string[] {
  const found = reference.safeParse(value);
  if (!found.success) return [];
  // Also of the data stack, which has the webhooks queue.
  const element = stack.node.root.node
    .findAll()
    .filter((node) => CfnElement.isCfnElement(node))
    .find((node) => Stack.of(node).getLogicalId(node) === found.data);
  const path = element?.node.path.split('/').slice(1) ?? [];
  return path.length === 0 ? [] : [path.filter((part) => part !== 'Resource' && part !== 'Function').join('/')];
}
