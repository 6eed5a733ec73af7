import { PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { startHttpEmulators } from '#test/shared/aws/http-emulators.ts';
import { createEventBridge } from './event-bridge.ts';
import { NotSimulatedError } from './expression-reader.ts';
import { type Answer, expectSameAnswers } from './same-answers.ts';

let emulators: Emulators;
beforeAll(async () => {
  emulators = await startHttpEmulators();
});
afterAll(() => emulators.close());

/** Without the ids of the events, and the words of errors. */
function normalised(answer: Answer): unknown {
  if ('error' in answer) return answer;
  const { Entries = [], ...output }: { readonly Entries?: readonly Result[] } = answer.output;
  return { ...output, Entries: Entries.map(({ EventId, ErrorCode }) => ({ hasId: EventId !== undefined, ErrorCode })) };
}

type Result = { readonly EventId?: string; readonly ErrorCode?: string };

const event = { EventBusName: 'drawbridge', Source: 'drawbridge', DetailType: 'EntityCreated', Detail: '{}' };

describe('the simulated EventBridge', () => {
  it.each<readonly [string, PutEventsRequestEntry[] | undefined]>([
    ['an event', [event]],
    ['an event of an empty type', [{ ...event, DetailType: '' }]],
    ['events with details that are not objects', ['[]', '', '{"broken": '].map((Detail) => ({ ...event, Detail }))],
    ['no list of events', undefined],
    ['no events', []],
    ['eleven events', Array.from({ length: 11 }, () => event)],
    ['an event on an unknown bus', [event, { ...event, EventBusName: 'nowhere' }]],
    ['an event without a source', [event, { ...event, Source: undefined }]],
    ['an event without a type', [event, { ...event, DetailType: undefined }]],
    ['an event without details', [event, { ...event, Detail: undefined }]],
  ])('answers like the sandbox to %s', async (_, entries) => {
    const { busName } = emulators;
    const Entries = entries?.map((entry) =>
      entry.EventBusName === 'drawbridge' ? { ...entry, EventBusName: busName } : entry,
    );
    const { perform } = createEventBridge({ newId: () => 'id', buses: [busName] });
    await expectSameAnswers(emulators.eventBridge, perform, [new PutEventsCommand({ Entries })], normalised);
  });

  it('keeps accepted events and no others', () => {
    const { perform, published } = createEventBridge({ newId: () => 'id' });
    perform(new PutEventsCommand({ Entries: [event, { ...event, Detail: '[]' }] }));
    expect(() => perform(new PutEventsCommand({ Entries: [event, { ...event, EventBusName: 'nowhere' }] }))).toThrow();
    expect(published()).toEqual([{ detailType: 'EntityCreated', detail: '{}' }]);
  });

  it('refuses an unsupported field', () => {
    const { perform } = createEventBridge({ newId: () => 'id' });
    const command = new PutEventsCommand({ Entries: [{ ...event, Resources: ['a'] }] });
    expect(() => perform(command)).toThrow(NotSimulatedError);
  });
});
