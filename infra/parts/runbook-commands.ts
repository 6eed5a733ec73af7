import { CfnElement, type Duration, Stack } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { DataStack } from '#infra/data-stack.ts';
import type { LogFields } from '#shared/lambda/log.ts';
import type { DeadLetterQueue } from './dead-letter-queue.ts';
import type { DrawbridgeFunction } from './function.ts';
import type { WorkQueue } from './work-queue.ts';

/** A command for the runbook: what it does, and the text to copy, for a POSIX shell with the AWS CLI. */
export type RunbookCommand = { readonly does: string; readonly shell: string };

/** The shell functions that the commands use. `STACK` is the name of the deployed service stack. */
export const runbookFunctions = `resource() {
  aws cloudformation describe-stack-resource --stack-name "\${STACK%-service}-\${2:-service}" --logical-resource-id "$1" \\
    --query StackResourceDetail.PhysicalResourceId --output text
}
output() {
  aws cloudformation describe-stacks --stack-name "$STACK" \\
    --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue" --output text
}
queue_arn() {
  aws sqs get-queue-attributes --queue-url "$(resource "$1" "$2")" --attribute-names QueueArn \\
    --query Attributes.QueueArn --output text
}
api() {
  curl --aws-sigv4 "aws:amz:$AWS_REGION:execute-api" --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \\
    -H "x-amz-security-token: $AWS_SESSION_TOKEN" -X "$1" "$(output ApiUrl)$2"
}`;

/** Shows what a function logged as an error in the last hours, its exceeded time limits included. */
export function readErrors(of: DrawbridgeFunction): RunbookCommand {
  const pattern = `'{ ($.level = "ERROR") || ($.record.status = "timeout") }'`;
  return {
    does: `Read the errors of ${of.node.id}`,
    shell: `aws logs tail "$(resource ${resourceOf(of.logGroup)})" --since 3h --filter-pattern ${pattern}`,
  };
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

/** Shows what a function logged about one message of its queue. The operator puts in the id of the message. */
export function readLinesOfMessage(of: DrawbridgeFunction): RunbookCommand {
  return {
    does: `Read why ${of.node.id} failed on a message. Replace MESSAGE_ID`,
    shell: `aws logs tail "$(resource ${resourceOf(of.logGroup)})" --since 14d --filter-pattern '{ $.messageId = "MESSAGE_ID" }'`,
  };
}

/** Counts the messages of a queue: those that wait, those that a function works on, and those that are delayed. */
export function countMessages(queue: Queue): RunbookCommand {
  return {
    does: `Count the messages of ${queue.node.id}: waiting, in flight, delayed`,
    shell: `aws sqs get-queue-attributes --queue-url "$(resource ${resourceOf(queue)})" --attribute-names \\
  ApproximateNumberOfMessages ApproximateNumberOfMessagesNotVisible ApproximateNumberOfMessagesDelayed`,
  };
}

/** Moves the messages of a dead-letter queue back to the queue, and shows how many were moved. */
export function redrive({ node, deadLetters }: WorkQueue): readonly RunbookCommand[] {
  const source = `--source-arn "$(queue_arn ${resourceOf(deadLetters)})"`;
  return [
    {
      does: `Redrive ${deadLetters.node.id} to ${node.id}, once the cause is fixed`,
      shell: `aws sqs start-message-move-task ${source}`,
    },
    { does: 'Show how far the redrive is', shell: `aws sqs list-message-move-tasks ${source}` },
  ];
}

/** Shows messages, which stay in the queue. For queues whose messages hold no personal data. */
export function showMessages(queue: DeadLetterQueue): RunbookCommand {
  return {
    does: `Show up to ten messages of ${queue.node.id}. They stay in the queue`,
    shell: `aws sqs receive-message --queue-url "$(resource ${resourceOf(queue)})" --max-number-of-messages 10 \\
  --visibility-timeout 0 --message-attribute-names All`,
  };
}

/** Shows the ids and times of messages, which stay in the queue. For queues whose messages hold personal data. */
export function showMessageIds(queue: DeadLetterQueue): RunbookCommand {
  return {
    does: `Show up to ten messages of ${queue.node.id} without their bodies, which hold personal data. They stay in the queue`,
    shell: `aws sqs receive-message --queue-url "$(resource ${resourceOf(queue)})" --max-number-of-messages 10 \\
  --visibility-timeout 0 --message-system-attribute-names SentTimestamp ApproximateReceiveCount \\
  --query "Messages[].{messageId: MessageId, sent: Attributes.SentTimestamp, receives: Attributes.ApproximateReceiveCount}"`,
  };
}

/** Deletes all messages. */
export function purge(queue: DeadLetterQueue): RunbookCommand {
  return {
    does: `Purge ${queue.node.id}, once the cause is fixed`,
    shell: `aws sqs purge-queue --queue-url "$(resource ${resourceOf(queue)})"`,
  };
}

/** Invokes a function and shows what it answers. The AWS CLI waits for as long as the function may take. */
export function invoke(of: DrawbridgeFunction, payload: object, does: string): RunbookCommand {
  return {
    does,
    shell: `aws lambda invoke --function-name "$(resource ${resourceOf(of.lambda)})" --cli-read-timeout ${readTimeoutOf(of.timeout)} \\
  --cli-binary-format raw-in-base64-out --payload '${JSON.stringify(payload)}' /dev/stderr`,
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

/** Calls the API of the onboardings and queries. */
export function callApi(method: 'GET' | 'POST' | 'DELETE', path: string, does: string): RunbookCommand {
  return { does, shell: `api ${method} "${path}"` };
}

/** A little longer than the function may take. */
function readTimeoutOf(timeout: Duration): number {
  return timeout.toSeconds() + 10;
}

/** What finds the resource: its logical id, the same in every environment, and the stack unless it is the service stack. */
function resourceOf(construct: IConstruct): string {
  const { defaultChild } = construct.node;
  if (!CfnElement.isCfnElement(defaultChild)) throw new TypeError(`${construct.node.path} is no single resource.`);
  const stack = Stack.of(construct);
  const logicalId = stack.getLogicalId(defaultChild);
  return stack instanceof DataStack ? `${logicalId} data` : logicalId;
}
