import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createQuarantineReads } from '#cli/console/reads/quarantine-reads.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { recordMessages } from '#cli/deployment/record-action.ts';
import { explainMessages } from '#cli/dlq/read-errors.ts';
import type { DeadMessage } from '#cli/dlq/read-messages.ts';
import { redrive } from '#cli/dlq/redrive.ts';
import { deleteChosen, keepFolderIn, redriveChosen } from '#cli/dlq/take-messages.ts';

type Input = Readonly<Record<string, unknown>>;
type Command = { readonly constructor: { readonly name: string }; readonly input: Input };

const deps = {
  fetch,
  now: () => new Date('2026-01-02T00:00:00Z'),
  newId: () => 'id',
  environment: {},
  wait: async () => undefined,
};
const messageOf = (MessageId: string) => ({ MessageId, Body: '{}', ReceiptHandle: `handle-${MessageId}` });

/** A deployment whose queue answers reads with these messages, one batch a read. */
function deploy(batches: readonly (readonly object[])[] = [], answerLogs: (command: Command) => object = () => ({})) {
  const left = [...batches];
  const sent: Command[] = [];
  const clientOf = (answer: (command: Command) => object) => ({
    config: { credentials: async () => ({ accessKeyId: 'key' }) },
    send: async (command: Command) => {
      sent.push(command);
      return answer(command);
    },
  });
  const answerSqs = ({ constructor: { name } }: Command) =>
    name === 'ReceiveMessageCommand' ? { Messages: left.shift() ?? [] } : {};
  const deployment = {
    environment: 'production',
    clients: { sqs: clientOf(answerSqs), logs: clientOf(answerLogs) },
    resources: async () => ({ idOf: (_: string, name: string) => name, ofType: () => [] }),
  } as unknown as Deployment;
  const inputsOf = (command: string) =>
    sent.filter(({ constructor: { name } }) => name === `${command}Command`).map(({ input }) => input);
  return { deployment, inputsOf };
}

it('deletes all dead letters across empty reads, keeps each in a folder that git ignores, and records only their number', async () => {
  const { deployment, inputsOf } = deploy([[], [messageOf('a')], [], [messageOf('b')]]);
  const parent = mkdtempSync(join(tmpdir(), 'keep-'));
  const keepIn = keepFolderIn(parent);
  const chosen = { queue: 'WebhooksDlq', messageIds: undefined, keepIn } as const;
  const { taken } = await deleteChosen(deployment, chosen, deps, () => undefined);
  expect(taken).toEqual(['a', 'b']);
  expect(inputsOf('ReceiveMessage')[0]).toMatchObject({ WaitTimeSeconds: 1, VisibilityTimeout: 600 });
  expect(readdirSync(keepIn).toSorted()).toEqual(['.gitignore', 'a.json', 'b.json']);
  expect(readFileSync(join(keepIn, '.gitignore'), 'utf8')).toBe('*\n');
  expect(readdirSync(parent)).toEqual(['dead-letters']);
  rmSync(parent, { recursive: true });
  const [line] = inputsOf('PutLogEvents').flatMap(({ logEvents }) => logEvents as readonly { message: string }[]);
  expect(JSON.parse(line?.message ?? '')).toMatchObject({ message: 'purge requested', size: 2 });
  expect(line?.message).not.toContain('messageIds');
});

it('deletes nothing where the log answers that it rejects the record, as with a wrong clock', async () => {
  const rejectedLogEventsInfo = { tooNewLogEventStartIndex: 0 };
  const { deployment, inputsOf } = deploy([[messageOf('a')]], () => ({ rejectedLogEventsInfo }));
  const chosen = { queue: 'MissedRuns', messageIds: undefined, keepIn: '' } as const;
  await expect(deleteChosen(deployment, chosen, deps, () => undefined)).rejects.toThrow(
    'Nothing was done or shown, because the log does not take a record of 2026-01-02T00:00:00.000Z.\nNext: correct the clock',
  );
  expect(inputsOf('DeleteMessage')).toEqual([]);
});

it('deletes no more dead letters than the operator has agreed to', async () => {
  const { deployment, inputsOf } = deploy([[messageOf('a'), messageOf('b')]]);
  const chosen = { queue: 'MissedRuns', messageIds: undefined, max: 1, keepIn: '' } as const;
  expect(await deleteChosen(deployment, chosen, deps, () => undefined)).toEqual({ taken: ['a'], missing: [] });
  expect(inputsOf('DeleteMessage')).toEqual([{ QueueUrl: 'MissedRuns', ReceiptHandle: 'handle-a' }]);
});

it('deletes the dead letter that a short id stands for, and none where the id stands for two', async () => {
  const held = [messageOf('5e1f0807-0000-4000-8000-0000000000a0'), messageOf('5e1f0808-0000-4000-8000-0000000000b0')];
  const take = (id: string) => {
    const { deployment, inputsOf } = deploy([held]);
    const chosen = { queue: 'MissedRuns', messageIds: [id], keepIn: '' } as const;
    return { done: deleteChosen(deployment, chosen, deps, () => undefined), inputsOf };
  };
  expect(await take('5e1f0807…0000a0').done).toEqual({ taken: [held[0]?.MessageId], missing: [] });
  const { done, inputsOf } = take('5e1f080…0');
  await expect(done).rejects.toThrow('is the beginning of 2 ids. Nothing was done.');
  expect(inputsOf('DeleteMessage')).toEqual([]);
});

it('asks about the dead letters as they are given, and prints the whole id of each that is moved', async () => {
  const { deployment } = deploy([[messageOf('5e1f0807-0000-4000-8000-0000000000a0')]]);
  const said: string[] = [];
  const context = {
    connect: async () => deployment,
    confirm: async (action: string) => said.push(action),
    output: { answer: (answer: object) => said.push(JSON.stringify(answer)) },
  } as never;
  await redrive({ queue: 'RequestsDlq', messageIds: ['5e1f0807'] }, context, deps as never);
  expect(said).toEqual([
    'move 1 message (5e1f0807) of RequestsDlq back to their queue',
    expect.stringContaining('"messageIds":["5e1f0807-0000-4000-8000-0000000000a0"]'),
  ]);
});

it('records each of thousands of dead letters that are read, in lines that CloudWatch Logs takes', async () => {
  const { deployment, inputsOf } = deploy();
  const messageIds = Array.from({ length: 1_001 }, (_, index) => String(index).padStart(36, '0'));
  await recordMessages(deployment, { message: 'dead letters read', queue: 'WebhooksDlq', messageIds }, deps);
  const lines = inputsOf('PutLogEvents').flatMap(({ logEvents }) => logEvents as readonly { message: string }[]);
  expect(lines.map(({ message }) => JSON.parse(message).size)).toEqual([1_000, 1]);
  expect(lines.flatMap(({ message }) => JSON.parse(message).messageIds.split(','))).toEqual(messageIds);
  expect(Math.max(...lines.map(({ message }) => message.length))).toBeLessThan(256 * 1_024);
});

it('sends a dead letter again without the error of EventBridge, which a later failure has not', async () => {
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  const MessageAttributes = { ERROR_CODE: text('NO'), ERROR_MESSAGE: text('no'), RULE_ARN: text('arn') };
  const { deployment, inputsOf } = deploy([[{ ...messageOf('a'), MessageAttributes }]]);
  await redriveChosen(deployment, { queue: 'RequestsDlq', messageIds: ['a'] }, deps, () => undefined);
  expect(inputsOf('SendMessage')).toEqual([
    { QueueUrl: 'Requests', MessageBody: '{}', MessageAttributes: { RULE_ARN: text('arn') } },
  ]);
});

it('asks the log for the errors of many dead letters in queries that CloudWatch Logs accepts', async () => {
  const idOf = (index: number) => String(index).padStart(36, '0');
  const messages = Array.from({ length: 401 }, (_, index) => ({ messageId: idOf(index) }) as DeadMessage);
  const results = [0, 400].map((index) => [
    { field: 'messageId', value: idOf(index) },
    { field: 'message', value: 'message timed out' },
  ]);
  const queryDefinitions = [{ name: 'drawbridge-production/failed-messages', queryString: '', logGroupNames: ['g'] }];
  const { deployment, inputsOf } = deploy([], () => ({ queryDefinitions, queryId: 'q', status: 'Complete', results }));
  const { messages: explained } = await explainMessages(deployment, messages, deps);
  expect([0, 1, 400].map((index) => explained[index]?.error)).toEqual([
    expect.stringMatching(/^Timeout/),
    undefined,
    expect.stringMatching(/^Timeout/),
  ]);
  const queries = inputsOf('StartQuery').map(({ queryString }) => String(queryString));
  expect(queries).toHaveLength(3);
  expect(queries.filter(({ length }) => length > 10_000)).toEqual([]);
});

it('shows dead letters on the console without their errors when the log cannot be read', async () => {
  const { deployment } = deploy([[messageOf('a')]], () => {
    throw new Error('AccessDenied');
  });
  expect(await createQuarantineReads({ deployment, deps }).deadMessages.read({ queue: 'WebhooksDlq' })).toMatchObject({
    messages: [{ messageId: 'a', error: undefined }],
    unread: 'AccessDenied',
  });
});
