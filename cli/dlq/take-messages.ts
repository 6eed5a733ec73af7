import { join, resolve } from 'node:path';
import { DeleteMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { CommandError, messageOf } from '#cli/command/command-error.ts';
import { type RecordDeployment, type RecordDeps, recordAction, recordMessages } from '#cli/deployment/record-action.ts';
import { isNamedBy } from '#cli/ids/short-id.ts';
import { countOf } from '#cli/output/count-of.ts';
import { writePrivateFile } from '#cli/output/private-file.ts';
import {
  type DeadLetterQueueName,
  type RedrivableQueue,
  redrivableQueues,
  redriveTargets,
} from './dead-letter-queues.ts';
import { type HeldMessage, holdMessages } from './read-messages.ts';

/** The messages of a dead-letter queue that an operator has chosen. */
export type Chosen<Queue extends DeadLetterQueueName = DeadLetterQueueName> = {
  readonly queue: Queue;
  /** Undefined for all. */
  readonly messageIds: readonly string[] | undefined;
  /** The most of all messages that are taken: as many as the operator has agreed to. */
  readonly max?: number;
};

export type Taken = {
  readonly taken: readonly string[];
  /** Those that the queue did not hand out: another reader has them, or they are gone. */
  readonly missing: readonly string[];
};

type OnTaken = (taken: number) => void;

/** In seconds: each message takes up to three requests, and a queue can have thousands. */
const takeFor = 600;

/** The folder where bodies are kept. It has nothing else, so that all of it can be hidden from git. */
export function keepFolderIn(parent: string): string {
  return resolve(parent, 'dead-letters');
}

/** Whether the queue has what is nowhere else, so that a message is deleted only after its body is kept. */
export function isKept(queue: DeadLetterQueueName): queue is RedrivableQueue {
  return redrivableQueues.some((name) => name === queue);
}

/** Sends chosen messages to their queue again, each before it is deleted. The log records it before. @throws {CommandError} */
export async function redriveChosen(
  deployment: RecordDeployment,
  { queue, messageIds }: Chosen<RedrivableQueue>,
  deps: RecordDeps,
  onTaken: OnTaken,
): Promise<Taken> {
  const target = (await deployment.resources()).idOf('queue', redriveTargets[queue]);
  return take(deployment, { queue, messageIds }, { ...deps, action: 'redrive requested', onTaken }, ({ sent }) => {
    // The message can come back with another error than that of EventBridge.
    const { ERROR_CODE: _, ERROR_MESSAGE: __, ...MessageAttributes } = sent.MessageAttributes ?? {};
    return deployment.clients.sqs.send(
      new SendMessageCommand({ QueueUrl: target, MessageBody: sent.Body, MessageAttributes }),
    );
  });
}

/**
 * Deletes chosen messages, each after its body is kept in a file of the folder, if the queue has what is nowhere else. The log
 * records it before.
 *
 * @throws {CommandError}
 */
export async function deleteChosen(
  deployment: RecordDeployment,
  { keepIn, ...chosen }: Chosen & { readonly keepIn: string },
  deps: RecordDeps,
  onTaken: OnTaken,
): Promise<Taken> {
  const { queue } = chosen;
  return take(deployment, chosen, { ...deps, action: 'purge requested', onTaken }, async (message) => {
    if (isKept(queue)) keepBody(keepIn, queue, message);
  });
}

type TakeDeps = RecordDeps & {
  readonly action: 'redrive requested' | 'purge requested';
  readonly onTaken: OnTaken;
};

async function take(
  deployment: RecordDeployment,
  { queue, messageIds, max = Number.POSITIVE_INFINITY }: Chosen,
  { action, onTaken, ...deps }: TakeDeps,
  before: (message: HeldMessage) => Promise<unknown>,
): Promise<Taken> {
  const chosenIds = messageIds?.map((id) => ({ id, isMeant: isNamedBy(id) }));
  const isEnough = (found: ReadonlyMap<string, unknown>) =>
    // A short id may stand for a message that was not received yet, too.
    messageIds?.every((id) => found.has(id)) ?? found.size >= max;
  return holdMessages(deployment, { queue, isEnough, holdFor: takeFor }, async (messages, QueueUrl) => {
    const named = chosenIds?.map((one) => ({
      ...one,
      messages: messages.filter(({ messageId }) => one.isMeant(messageId)),
    }));
    const several = named?.find((one) => one.messages.length > 1);
    if (several !== undefined)
      throw new CommandError(
        `${several.id} is the beginning of ${several.messages.length} ids. Nothing was done.`,
        'name the message by its whole id.',
      );
    const chosen = [...new Set(named?.flatMap((one) => one.messages) ?? messages)].slice(0, max);
    const ids = chosen.map(({ messageId }) => messageId);
    const missing = (named ?? []).filter((one) => one.messages.length === 0).map(({ id }) => id);
    if (chosen.length === 0) return { taken: [], missing };
    if (messageIds === undefined) await recordAction(deployment, { message: action, queue, size: ids.length }, deps);
    else await recordMessages(deployment, { message: action, queue, messageIds: ids }, deps);
    for (const [index, message] of chosen.entries()) {
      await before(message);
      const { receiptHandle: ReceiptHandle } = message;
      await deployment.clients.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      onTaken(index + 1);
    }
    return { taken: ids, missing };
  });
}

/** @throws {CommandError} */
function keepBody(
  folder: string,
  queue: DeadLetterQueueName,
  { sent, receiptHandle: _, ...message }: HeldMessage,
): void {
  const name = `${message.messageId}.json`;
  try {
    // The same message can be kept twice: after a deletion that SQS did not confirm.
    writePrivateFile(folder, name, `${JSON.stringify({ queue, ...message, message: sent.Body }, undefined, 2)}\n`);
  } catch (cause) {
    throw new CommandError(
      `${join(folder, name)} cannot be written, so that the message stays in ${queue}: ${messageOf(cause)}`,
      'name another folder with --keep.',
      { cause },
    );
  }
}

/** How many messages, and which. */
export function nameMessages(ids: readonly string[]): string {
  return [countOf(ids.length, 'message'), ...(ids.length > 0 ? [`(${ids.join(', ')})`] : [])].join(' ');
}

/** What to say of messages that the queue did not hand out. */
export function describeMissing({ missing }: Pick<Taken, 'missing'>): readonly string[] {
  return missing.map((id) => `Not in the queue, or another reader has the message: ${id}`);
}
