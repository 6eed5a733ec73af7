import { expect, it } from 'vitest';
import { failedOf } from '#sandbox/aws/lambda/sqs-records.ts';
import { readResources, resourceAt } from '#test/sandbox/aws/stacks/written-assembly.ts';

const messages = ['a', 'b'].map((MessageId) => ({ MessageId }));

/** What a mapping takes for failed. */
function failed(answer: unknown, FunctionResponseTypes = ['ReportBatchItemFailures']) {
  const properties = { EventSourceArn: 'arn', FunctionName: 'name', FunctionResponseTypes };
  const { eventSourceMappings } = readResources({
    M: resourceAt('stack/M', 'AWS::Lambda::EventSourceMapping', properties),
  });
  return eventSourceMappings.flatMap((mapping) => failedOf(mapping, messages, JSON.stringify(answer)));
}

it('fails the messages of a batch that the answer lists', () => {
  expect(failed({ batchItemFailures: [{ itemIdentifier: 'b' }] })).toEqual([{ MessageId: 'b' }]);
});

it('ignores the list where the mapping does not report batch item failures', () => {
  expect(failed({ batchItemFailures: [{ itemIdentifier: 'b' }] }, [])).toEqual([]);
});

it.each([
  ['no list', {}],
  ['an empty list', { batchItemFailures: [] }],
  ['null for a list', { batchItemFailures: null }],
  ['null', null],
])('completes the whole batch when the answer has %s', (_, answer) => {
  expect(failed(answer)).toEqual([]);
});

it.each([
  ['an id that is not in the batch', { batchItemFailures: [{ itemIdentifier: 'nobody' }] }],
  ['an empty id', { batchItemFailures: [{ itemIdentifier: '' }] }],
  ['an id that is null', { batchItemFailures: [{ itemIdentifier: null }] }],
  ['an id under another name', { batchItemFailures: [{ messageId: 'a' }] }],
  ['a list that is none', { batchItemFailures: 'all' }],
  ['text', 'done'],
])('fails the whole batch when the answer has %s', (_, answer) => {
  expect(failed(answer)).toEqual(messages);
});
