import { CfnElement, Stack } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import type { LogFields } from '#shared/lambda/log.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';
import type { DrawbridgeFunction } from './function.ts';
import type { WorkQueue } from './work-queue.ts';

/** A command for the runbook, for a POSIX shell with the AWS CLI, with what the text of the command does not say. */
export type RunbookCommand = {
  readonly does?: string;
  readonly shell: string;
  /** The command of `drawbridge` that does the same, which the alarm itself names too. */
  readonly cli?: string;
};

/** The shell functions that the commands of the AWS CLI use. `STACK` is the name of the deployed service stack. */
export const runbookFunctions = `resource() {
  aws cloudformation describe-stack-resource --stack-name "$STACK" --logical-resource-id "$1" \\
    --query StackResourceDetail.PhysicalResourceId --output text
}
output() {
  aws cloudformation describe-stacks --stack-name "$STACK" \\
    --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue" --output text
}
logs_of() { aws logs tail "$(resource "$1")" --since "$2" --filter-pattern "$3"; }
errors_of() { logs_of "$1" 3h '{ ($.level = "ERROR") || ($.record.status = "timeout") }'; }
warnings_of() { logs_of "$1" 1d '{ ($.level = "WARN") || ($.level = "ERROR") }'; }
lines_of() { logs_of "$1" 1d "{ \\$.$2 = \\"$3\\" }"; }`;

/** A command of the `drawbridge` command line, as the operator of the environment `production` types it. */
export function drawbridge(command: string, does?: string): RunbookCommand {
  const shell = `npx --no -- drawbridge ${command} --env production`;
  return does === undefined ? { shell, cli: command } : { does, shell, cli: command };
}

const errors = 'logs errors-by-function';

/** Shows what functions logged as an error in the last hours, exceeded time limits included. */
export function readErrors(...functions: readonly DrawbridgeFunction[]): readonly RunbookCommand[] {
  return functions.map(({ logGroup }) => ({
    shell: `errors_of ${resourceOf(logGroup)}`,
    cli: errors,
  }));
}

/** Shows the lines of the last day in which a field has this value. */
export function readLines(of: DrawbridgeFunction, field: keyof LogFields | 'message', value: string): RunbookCommand {
  return { shell: `lines_of ${resourceOf(of.logGroup)} ${field} "${value}"` };
}

/** Shows the lines that a function logged in the last day as a warning or an error. */
export function readWarnings(of: DrawbridgeFunction): RunbookCommand {
  return { shell: `warnings_of ${resourceOf(of.logGroup)}` };
}

/** Shows why messages failed, by their ids. */
export const readFailedMessages = drawbridge('logs failed-messages --from 14d');

/** The commands of `drawbridge` among these. Failed messages have the errors already, and CloudWatch takes a short text only. */
export function commandLinesOf(commands: readonly RunbookCommand[]): readonly string[] {
  const all = [...new Set(commands.flatMap(({ cli }) => cli ?? []))];
  const shown = commands.includes(readFailedMessages) ? all.filter((cli) => cli !== errors) : all;
  return shown.map((cli) => `drawbridge ${cli}`);
}

/** Shows how many messages each queue has: those that wait, those that a function works on, and those that are delayed. */
export const countAllMessages = drawbridge('status');

/** Shows messages without their bodies. They stay in the queue. The id of the construct is what the command line calls the queue. */
export function showDeadLetters({ node }: DeadLetterQueue): RunbookCommand {
  return drawbridge(`dlq show ${node.id}`);
}

/** Moves the messages of a dead-letter queue back to the queue, and shows how many were moved. */
export function redrive({ deadLetters }: WorkQueue): RunbookCommand {
  return drawbridge(`dlq redrive ${deadLetters.node.id}`);
}

/** Deletes all messages of a dead-letter queue. */
export function purgeDeadLetters({ node }: DeadLetterQueue): RunbookCommand {
  return drawbridge(`dlq purge ${node.id}`);
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
  if (!CfnElement.isCfnElement(defaultChild)) throw new TypeError(`${construct.node.path} is not a single resource.`);
  return Stack.of(construct).getLogicalId(defaultChild);
}
