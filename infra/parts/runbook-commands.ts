import { CfnElement, Stack } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import type { LogFields } from '#shared/lambda/log.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';
import type { DrawbridgeFunction } from './function.ts';
import type { WorkQueue } from './work-queue.ts';

/** A command for the runbook: what it does, and the text to copy, for a POSIX shell with the AWS CLI. */
export type RunbookCommand = { readonly does: string; readonly shell: string };

/** The shell functions that the commands of the AWS CLI use. `STACK` is the name of the deployed service stack. */
export const runbookFunctions = `resource() {
  aws cloudformation describe-stack-resource --stack-name "$STACK" --logical-resource-id "$1" \\
    --query StackResourceDetail.PhysicalResourceId --output text
}
output() {
  aws cloudformation describe-stacks --stack-name "$STACK" \\
    --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue" --output text
}`;

/** A command of the `drawbridge` command line, as the operator of the environment `production` types it. */
export function drawbridge(command: string, does: string): RunbookCommand {
  return { does, shell: `npx drawbridge ${command} --env production` };
}

/** Counts the errors of all functions, and shows what these logged as an error in the last hours, exceeded time limits included. */
export function readErrors(...functions: readonly DrawbridgeFunction[]): readonly RunbookCommand[] {
  const pattern = `'{ ($.level = "ERROR") || ($.record.status = "timeout") }'`;
  return [
    drawbridge('logs errors-by-function', 'Count the errors of each function'),
    ...functions.map(({ node, logGroup }) => ({
      does: `Read the errors of ${node.id}`,
      shell: `aws logs tail "$(resource ${resourceOf(logGroup)})" --since 3h --filter-pattern ${pattern}`,
    })),
  ];
}

/** Shows the lines of the last day in which a field has this value. */
export function readLines(of: DrawbridgeFunction, field: keyof LogFields | 'message', value: string): RunbookCommand {
  return {
    does: `Read the lines of ${of.node.id} whose ${field} is "${value}"`,
    shell: `aws logs tail "$(resource ${resourceOf(of.logGroup)})" --since 1d --filter-pattern '{ $.${field} = "${value}" }'`,
  };
}

/** Shows the lines that a function logged in the last day as a warning or an error. */
export function readWarnings(of: DrawbridgeFunction): RunbookCommand {
  const pattern = `'{ ($.level = "WARN") || ($.level = "ERROR") }'`;
  return {
    does: `Read the warnings of ${of.node.id}`,
    shell: `aws logs tail "$(resource ${resourceOf(of.logGroup)})" --since 1d --filter-pattern ${pattern}`,
  };
}

/** Shows why messages failed, by their ids. */
export const readFailedMessages = drawbridge(
  'logs failed-messages --from 14d',
  'Read why messages failed, by their ids',
);

/** Shows how many messages each queue has: those that wait, those that a function works on, and those that are delayed. */
export const countAllMessages = drawbridge('status', 'Count the messages of each queue: waiting, in flight, delayed');

/** Shows how many messages each dead-letter queue has. */
const countDeadLetters = drawbridge('dlq ls', 'Count the messages of each dead-letter queue');

/** Shows messages without their bodies. They stay in the queue. The id of the construct is what the command line calls the queue. */
export function showDeadLetters({ node }: DeadLetterQueue): readonly RunbookCommand[] {
  const does = `Show messages of ${node.id} by their ids. They stay in the queue`;
  return [countDeadLetters, drawbridge(`dlq show ${node.id}`, does)];
}

/** Moves the messages of a dead-letter queue back to the queue, and shows how many were moved. */
export function redrive({ node, deadLetters }: WorkQueue): RunbookCommand {
  const does = `Redrive ${deadLetters.node.id} to ${node.id}, once the cause is fixed`;
  return drawbridge(`dlq redrive ${deadLetters.node.id}`, does);
}

/** Deletes all messages of a dead-letter queue. */
export function purgeDeadLetters({ node }: DeadLetterQueue): RunbookCommand {
  return drawbridge(`dlq purge ${node.id}`, `Purge ${node.id}, once the cause is fixed`);
}

/** As {@link countAllMessages}, of a queue that the command line does not know. */
export function countMessages(queue: Queue): RunbookCommand {
  return {
    does: `Count the messages of ${queue.node.id}: waiting, in flight, delayed`,
    shell: `aws sqs get-queue-attributes --queue-url "$(resource ${resourceOf(queue)})" --attribute-names \\
  ApproximateNumberOfMessages ApproximateNumberOfMessagesNotVisible ApproximateNumberOfMessagesDelayed`,
  };
}

/** Shows messages with their bodies, which stay in the queue. For a queue that the command line does not know. */
export function showMessages(queue: DeadLetterQueue): RunbookCommand {
  return {
    does: `Show up to ten messages of ${queue.node.id}. They stay in the queue`,
    shell: `aws sqs receive-message --queue-url "$(resource ${resourceOf(queue)})" --max-number-of-messages 10 \\
  --visibility-timeout 0 --message-attribute-names All`,
  };
}

/** Deletes all messages of a queue that the command line does not know. */
export function purge(queue: DeadLetterQueue): RunbookCommand {
  return {
    does: `Purge ${queue.node.id}, once the cause is fixed`,
    shell: `aws sqs purge-queue --queue-url "$(resource ${resourceOf(queue)})"`,
  };
}

/** Shows who gets the notifications of the topic that an output of the service stack names. */
export function listSubscriptions(output: string): RunbookCommand {
  return {
    does: 'Show the subscribers. One with PendingConfirmation gets nothing',
    shell: `aws sns list-subscriptions-by-topic --topic-arn "$(output ${output})" \\
  --query "Subscriptions[].[Protocol, Endpoint, SubscriptionArn]" --output text`,
  };
}

/** What finds the resource in the service stack: its logical id, the same in every environment. */
function resourceOf(construct: IConstruct): string {
  const { defaultChild } = construct.node;
  if (!CfnElement.isCfnElement(defaultChild)) throw new TypeError(`${construct.node.path} is no single resource.`);
  return Stack.of(construct).getLogicalId(defaultChild);
}
