import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  ProvisionedThroughputExceededException,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { PutEventsCommand, type PutEventsCommandOutput } from '@aws-sdk/client-eventbridge';
import { GetSecretValueCommand, ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';
import {
  SendMessageBatchCommand,
  type SendMessageBatchCommandOutput,
  SendMessageCommand,
  type SendMessageCommandOutput,
} from '@aws-sdk/client-sqs';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { Command, Service } from '#test/simulation/aws/commands.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { createEventBridge } from '#test/simulation/aws/event-bridge.ts';
import { createSecretsManager } from '#test/simulation/aws/secrets-manager.ts';
import { createSqs } from '#test/simulation/aws/sqs.ts';
import { simulatedQueues, simulatedTables } from '#test/simulation/declared.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Call } from '#test/simulation/faults/io-behaviour.ts';
import type { SimulatedDeps } from '#test/simulation/functions/build-handler.ts';
import type { SimulatedProcess } from '#test/simulation/scheduler/process.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';

export type CloudDeps = {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly newId: () => string;
  /** By name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Called when a queue may have a visible message. */
  readonly onQueueChange: () => void;
  /** Receives each command of a process before its I/O. */
  readonly onCommand: (process: SimulatedProcess, command: Command) => void;
  /** Receives each command that failed, at the moment at which its process gets the error. */
  readonly onFailure: (process: SimulatedProcess, command: Command) => void;
  /** Receives each saved checkpoint. */
  readonly onCheckpoint: (before: Item | undefined, after: Item) => void;
  /** Receives each erased onboarding with its previous row. */
  readonly onErasure: (before: Item) => void;
  /** Receives the ids of the messages that a process has sent. */
  readonly onSent: (process: SimulatedProcess, messageIds: readonly string[]) => void;
};

export type Cloud = ReturnType<typeof createCloud>;

type Clients = Pick<SimulatedDeps, 'dynamodb' | 'sqs' | 'secretsManager' | 'eventBridge'>;

/** In milliseconds: the maximum delay of a message. */
const maxDelayMs = 5 * 60_000;

/** In milliseconds: how long a read of a secret can return the previous version. */
const staleness = 5_000;

/** The AWS account of the functions. */
export function createCloud({
  scheduler,
  faults,
  random,
  newId,
  secrets,
  onQueueChange,
  onCommand,
  onFailure,
  onCheckpoint,
  onErasure,
  onSent,
}: CloudDeps) {
  const { now } = scheduler;
  const dynamodb = createDynamoDb(simulatedTables, { isStale: () => faults.happens('stale read') });
  const sqs = createSqs(simulatedQueues, { now, newId, choose: (count) => Math.floor(random() * count) });
  const secretsManager = createSecretsManager(secrets, { now, newId });
  const eventBridge = createEventBridge({ newId });

  function writeToDynamoDb(command: Command): object {
    try {
      if (command instanceof BatchGetItemCommand) return readBatch(command);
      return command instanceof PutItemCommand ? put(command) : dynamodb.perform(command);
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) faults.observe('conditional write conflict');
      throw error;
    }
  }

  /** The keys that DynamoDB still throttles, with the number of further calls. */
  const throttled = new Map<string, number>();

  /** DynamoDB can leave a key unprocessed, and fails a call of which it can process no key. */
  function readBatch({ input: { RequestItems = {} } }: BatchGetItemCommand): object {
    const all = Object.entries(RequestItems).flatMap(([table, { Keys = [] }]) =>
      Keys.map((key) => ({ table, key, name: nameOf(table, key) })),
    );
    if (all.length > 1 && faults.happens('key left unprocessed')) {
      const draw = faults.draw('key left unprocessed');
      throttled.set(all[Math.floor(draw * all.length)]?.name ?? '', 1 + (Math.floor(draw * 8) % 5));
    }
    const left = all.filter(({ name }) => isThrottled(name));
    if (left.length === all.length && left.length > 0) throw throughputExceeded();
    const isLeft = (table: string, key: Item) => left.some(({ name }) => name === nameOf(table, key));
    const parts = (areLeft: boolean) =>
      Object.fromEntries(
        Object.entries(RequestItems).flatMap(([table, { Keys = [], ...request }]) => {
          const some = Keys.filter((key) => isLeft(table, key) === areLeft);
          return some.length === 0 ? [] : [[table, { ...request, Keys: some }]];
        }),
      );
    const answer = dynamodb.perform(new BatchGetItemCommand({ RequestItems: parts(false) }));
    return { ...answer, UnprocessedKeys: parts(true) };
  }

  function isThrottled(name: string): boolean {
    const calls = faults.areOver() ? 0 : (throttled.get(name) ?? 0);
    throttled.set(name, calls - 1);
    return calls > 0;
  }

  /** When a row was erased first, in milliseconds of the simulation: the times in rows are of clocks that may be wrong. */
  const erasures = new Map<string, number>();

  function nameOf(tableName: string | undefined, key: Item): string {
    return `${tableName} ${dynamodb.table(tableName).keyOf(key)}`;
  }

  function noteErasure(name: string): void {
    if (!erasures.has(name)) erasures.set(name, now());
  }

  function put(command: PutItemCommand): object {
    const { TableName, Item = {} } = command.input;
    const isWatched = TableName === 'checkpoints' || (TableName === 'onboardings' && Item['erasedOn'] !== undefined);
    const before = isWatched ? dynamodb.table(TableName).get(Item) : undefined;
    const answer = dynamodb.perform(command);
    if (Item['erasedOn'] !== undefined) noteErasure(nameOf(TableName, Item));
    if (TableName === 'checkpoints') onCheckpoint(before, Item);
    if (TableName === 'onboardings' && before !== undefined && isWatched) onErasure(before);
    return answer;
  }

  /** EventBridge can reject an event and take the others of a call. */
  function publish(command: Command): object {
    if (!(command instanceof PutEventsCommand)) return eventBridge.perform(command);
    const { Entries = [] } = command.input;
    if (Entries.length < 2 || !faults.happens('batch of events partially rejected'))
      return eventBridge.perform(command);
    const rejected = Math.floor(faults.draw('batch of events partially rejected') * Entries.length);
    const taken = Entries.filter((_, index) => index !== rejected);
    const answer = eventBridge.perform(new PutEventsCommand({ Entries: taken })) as PutEventsCommandOutput;
    const failure = { ErrorCode: 'InternalFailure', ErrorMessage: 'The simulation rejects the event.' };
    return { FailedEntryCount: 1, Entries: (answer.Entries ?? []).toSpliced(rejected, 0, failure) };
  }

  const sent = new Set<string>();
  const sends: string[] = [];
  const sendsByCaller = new Map<string, string[]>();

  function noteSend(text: string, caller: string): void {
    sent.add(text);
    sends.push(text);
    const own = sendsByCaller.get(caller) ?? [];
    own.push(text);
    sendsByCaller.set(caller, own);
  }

  function sendToSqs(command: Command, process: SimulatedProcess): object {
    const { caller } = process;
    const result = command instanceof SendMessageBatchCommand ? sendBatch(command, caller) : sqs.perform(command);
    if (command instanceof SendMessageCommand) {
      noteSend(command.input.MessageBody ?? '', caller);
      if (faults.happens('message delayed')) delay(command.input.QueueUrl);
    }
    onSent(process, messageIdsIn(result));
    onQueueChange();
    return result;
  }

  /** Delays the latest message of a queue. */
  function delay(queueUrl: string | undefined): void {
    const message = sqs.queue(queueUrl).all().at(-1);
    if (message !== undefined) message.visibleAt = now() + faults.draw('message delayed') * maxDelayMs;
  }

  /** The messages that SQS still refuses, with the number of further refusals. */
  const refusals = new Map<string, number>();

  /** SQS can accept a batch partially, and can refuse a message again when it is resent. */
  function sendBatch({ input: { Entries = [], ...input } }: SendMessageBatchCommand, caller: string): object {
    const [first] = Entries;
    if (faults.happens('message refused three times')) refusals.set(first?.MessageBody ?? '', 3);
    const isFirstRefused = Entries.length > 1 && faults.happens('batch partially refused');
    const isTaken = (entry: typeof first) => !(isFirstRefused && entry === first) && !refuse(entry?.MessageBody ?? '');
    const taken = Entries.filter(isTaken);
    const result = taken.length === 0 ? {} : sqs.perform(new SendMessageBatchCommand({ ...input, Entries: taken }));
    for (const { MessageBody = '' } of taken) noteSend(MessageBody, caller);
    const Failed = Entries.filter((entry) => !taken.includes(entry)).map(({ Id }) => ({ Id, Code: 'InternalError' }));
    return { ...result, Failed };
  }

  function refuse(text: string): boolean {
    const left = faults.areOver() ? 0 : (refusals.get(text) ?? 0);
    refusals.set(text, left - 1);
    return left > 0;
  }

  /** A read shortly after a change of a secret can return the version before, which was the current one, or know nothing of a new version. */
  function readSecret(command: Command): object {
    if (!(command instanceof GetSecretValueCommand)) return secretsManager.perform(command);
    const { SecretId, VersionId } = command.input;
    const [before, current] = secretsManager.versions(SecretId).slice(-2);
    const isFresh = current !== undefined && now() - current.createdAt < staleness;
    if (!isFresh || before === undefined || !faults.happens('stale read')) return secretsManager.perform(command);
    if (VersionId !== undefined)
      throw new ResourceNotFoundException({ message: 'The secret has no such version.', $metadata: {} });
    const stale = new GetSecretValueCommand({ SecretId, VersionId: before.id });
    return { ...secretsManager.perform(stale), VersionStages: ['AWSCURRENT'] };
  }

  function clientOf<Client>(process: SimulatedProcess, service: Call['service'], perform: Service): Client {
    const send = (command: Command) => {
      onCommand(process, command);
      const operation = operationOf(command);
      const answer = process.io({ service, operation, caller: process.caller, list: listOf(command, process) }, () =>
        perform(command),
      );
      answer.catch(() => onFailure(process, command));
      return answer;
    };
    return { send } as Client;
  }

  return {
    dynamodb,
    sqs,
    secretsManager,
    eventBridge,
    /** When the row of a key was erased first, in milliseconds of the simulation. Undefined if it never was. */
    erasedAt: (tableName: string, key: Item): number | undefined => erasures.get(nameOf(tableName, key)),
    /** The texts of all messages that the queues accepted. */
    sent: (): ReadonlySet<string> => sent,
    /** The texts of all accepted messages in order, with repetitions. */
    sends: (): readonly string[] => sends,
    /** The same, of one function. */
    sendsBy: (caller: string): readonly string[] => sendsByCaller.get(caller) ?? [],
    /** The AWS clients of a process. */
    clientsOf: (process: SimulatedProcess): Clients => ({
      dynamodb: clientOf(process, 'dynamodb', writeToDynamoDb),
      sqs: clientOf(process, 'sqs', (command) => sendToSqs(command, process)),
      secretsManager: clientOf(process, 'secrets-manager', readSecret),
      eventBridge: clientOf(process, 'eventbridge', publish),
    }),
  };
}

const operations = new Map<unknown, string>();

function operationOf(command: Command): string {
  const known = operations.get(command.constructor);
  if (known !== undefined) return known;
  const name = command.constructor.name.replace(/Command$/, '');
  operations.set(command.constructor, name);
  return name;
}

function listOf(command: Command, { name }: SimulatedProcess): string | undefined {
  if (!(command instanceof QueryCommand || command instanceof ScanCommand)) return undefined;
  const { TableName, IndexName } = command.input;
  return `${name} ${TableName} ${IndexName}`;
}

/** The ids of the messages that SQS has taken. */
function messageIdsIn(result: object): readonly string[] {
  const { MessageId, Successful = [] } = result as SendMessageCommandOutput & Partial<SendMessageBatchCommandOutput>;
  return [MessageId, ...Successful.map((one) => one.MessageId)].filter((id) => id !== undefined);
}

function throughputExceeded(): ProvisionedThroughputExceededException {
  return new ProvisionedThroughputExceededException({ message: 'The throughput is exceeded.', $metadata: {} });
}
