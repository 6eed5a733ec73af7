import type { Rule, Target } from '@aws-sdk/client-eventbridge';
import { GetQueueAttributesCommand, GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { isSubscriber, listRules, listTargets, readOwnRules } from '#cli/bus/subscriber-rules.ts';
import { sessionPrefix, sessionTarget } from '#cli/bus-session/open-bus-session.ts';
import { docsPage } from '#cli/command/docs-page.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { quote } from '#sandbox/terminal/quote.ts';
import { type Found, good, problem, unknown } from './findings.ts';

/** Whether the rules of the bus are enabled and have targets, and what their targets could not be given. */
export async function checkSubscribers(deployment: Deployment): Promise<Found> {
  const bus = (await deployment.resources()).idOf('bus', 'Bus');
  const [all, ownRules] = await Promise.all([listRules(deployment, bus), readOwnRules(deployment)]);
  const rules = all.filter(isSubscriber);
  const problems = await Promise.all(
    rules.map(async (rule) => {
      const targets = await listTargets(deployment, bus, rule);
      const isOwn = ownRules.has(rule.Name ?? '');
      return [
        ...problemsOf(rule, targets, { bus, isOwn }),
        ...(await problemsOfDeadLetters(deployment, rule, targets)),
      ];
    }),
  );
  const sessions = all.flatMap(({ Name }) => (Name?.startsWith(sessionPrefix) ? [describeSession(bus, Name)] : []));
  const found = problems.flat();
  const subscribers = rules.filter(({ Name }) => !ownRules.has(Name ?? '')).length;
  return [
    ...(found.length > 0
      ? found
      : good(`${subscribers} rules of subscribers are on the bus ${bus}, enabled and with targets`)),
    ...sessions,
  ];
}

/** A rule of a command that watches the bus. Nothing distinguishes a running command from one that was killed. */
function describeSession(bus: string, name: string): Found[number] {
  const rule = quote(name);
  const queueUrl = `"$(aws sqs get-queue-url --queue-name ${rule} --query QueueUrl --output text)"`;
  return {
    result: 'good',
    detail: `the rule ${name} belongs to a command that watches the bus. Where no such command runs, it was killed: remove the rule and its queue`,
    remedy: [
      `aws events remove-targets --event-bus-name ${bus} --rule ${rule} --ids ${sessionTarget}`,
      `aws events delete-rule --event-bus-name ${bus} --name ${rule}`,
      `aws sqs delete-queue --queue-url ${queueUrl}`,
    ].join(' && '),
  };
}

function problemsOf(
  { Name = '', State }: Rule,
  targets: readonly Target[],
  { bus, isOwn }: { readonly bus: string; readonly isOwn: boolean },
): Found {
  const command = (does: string) => `aws events ${does} --event-bus-name ${bus}`;
  // No queue may keep the persons of our own rule for OnboardingRequested.
  const lossy = isOwn ? [] : targets.filter(({ DeadLetterConfig }) => DeadLetterConfig?.Arn === undefined);
  return [
    ...(State === 'DISABLED'
      ? problem(`the rule ${Name} is disabled: its targets get no events`, command(`enable-rule --name ${quote(Name)}`))
      : []),
    ...(targets.length === 0
      ? problem(`the rule ${Name} has no target`, `Put a target, or: ${command(`delete-rule --name ${quote(Name)}`)}`)
      : []),
    ...lossy.flatMap(({ Arn }) =>
      problem(
        `the target ${Arn} of the rule ${Name} has no dead-letter queue: EventBridge drops what it cannot deliver`,
        `Add a dead-letter queue: ${docsPage('docs/how-to/subscribe.md')}.`,
      ),
    ),
  ];
}

async function problemsOfDeadLetters(
  deployment: Deployment,
  { Name }: Rule,
  targets: readonly Target[],
): Promise<Found> {
  const queues = new Set(targets.flatMap(({ DeadLetterConfig }) => DeadLetterConfig?.Arn ?? []));
  const problems = await Promise.all(
    [...queues].map(async (arn): Promise<Found> => {
      const count = await countMessages(deployment, arn).catch((error: unknown) => String(error));
      if (count === 0) return [];
      if (typeof count === 'number')
        return problem(
          `${count} events of the rule ${Name} are in the dead-letter queue ${arn}`,
          `Fix the target. Then publish the events again: ${docsPage('docs/how-to/subscribe.md')}.`,
        );
      return unknown(
        `the dead-letter queue ${arn} of the rule ${Name} cannot be read: ${count}`,
        'Allow your role sqs:GetQueueUrl and sqs:GetQueueAttributes on the queue.',
      );
    }),
  );
  return problems.flat();
}

async function countMessages({ clients }: Deployment, arn: string): Promise<number> {
  const [, , , , QueueOwnerAWSAccountId, QueueName] = arn.split(':');
  const { QueueUrl } = await clients.sqs.send(new GetQueueUrlCommand({ QueueName, QueueOwnerAWSAccountId }));
  const { Attributes } = await clients.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
  );
  return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
}
