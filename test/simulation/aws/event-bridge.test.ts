import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { size } from '#test/full-size.ts';
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

/** What the bus takes, mostly: any call with one entry that cannot be read is refused as a whole. */
const rarely = <Value>(value: Value) => ({ arbitrary: fc.constant(value), weight: 1 });
const entries = (busName: string) =>
  fc.array(
    fc.record({
      EventBusName: fc.oneof({ arbitrary: fc.constant(busName), weight: 30 }, rarely('nowhere')),
      Source: fc.oneof({ arbitrary: fc.constant('drawbridge'), weight: 30 }, rarely(undefined)),
      DetailType: fc.oneof({ arbitrary: fc.constantFrom('EntityCreated', ''), weight: 30 }, rarely(undefined)),
      Detail: fc.oneof(
        { arbitrary: fc.json({ maxDepth: 1 }), weight: 10 },
        { arbitrary: fc.dictionary(fc.string(), fc.string()).map((detail) => JSON.stringify(detail)), weight: 20 },
        rarely(''),
        rarely('{"broken": '),
        rarely(undefined),
      ),
    }),
    { maxLength: 12, size: 'max' },
  );

describe('the simulated EventBridge beside the sandbox', { timeout: 300_000 }, () => {
  it('answers like the sandbox to events on a bus', async () => {
    const { busName } = emulators;
    await fc.assert(
      fc.asyncProperty(fc.array(entries(busName), { minLength: 1, maxLength: 5 }), async (calls) => {
        const eventBridge = createEventBridge({ newId: () => 'id', buses: [busName] });
        const commands = calls.map((Entries) => new PutEventsCommand({ Entries }));
        await expectSameAnswers(emulators.eventBridge, eventBridge.perform, commands, normalised);
      }),
      { numRuns: size(30, 150) },
    );
  });

  it('answers like the sandbox to a call without entries and to an unknown bus', async () => {
    const { perform } = createEventBridge({ newId: () => 'id', buses: [emulators.busName] });
    const entry = { Source: 'drawbridge', DetailType: 'EntityCreated', Detail: '{}' };
    const commands = [
      new PutEventsCommand({ Entries: [] }),
      new PutEventsCommand({ Entries: undefined }),
      new PutEventsCommand({ Entries: [{ ...entry, EventBusName: 'nowhere' }] }),
      new PutEventsCommand({
        Entries: Array.from({ length: 11 }, () => ({ ...entry, EventBusName: emulators.busName })),
      }),
    ];
    await expectSameAnswers(emulators.eventBridge, perform, commands, normalised);
  });
});

describe('the simulated EventBridge', () => {
  const entry = { EventBusName: 'drawbridge', Source: 'drawbridge', DetailType: 'EntityCreated', Detail: '{}' };

  it('keeps accepted events and no others', () => {
    const { perform, published } = createEventBridge({ newId: () => 'id' });
    perform(new PutEventsCommand({ Entries: [entry, { ...entry, Detail: '[]' }] }));
    expect(() => perform(new PutEventsCommand({ Entries: [entry, { ...entry, EventBusName: 'nowhere' }] }))).toThrow();
    expect(published()).toEqual([{ detailType: 'EntityCreated', detail: '{}' }]);
  });

  it('refuses an unsupported command or field', () => {
    const { perform } = createEventBridge({ newId: () => 'id' });
    const command = new PutEventsCommand({ Entries: [{ ...entry, Resources: ['a'] }] });
    expect(() => perform(command)).toThrow(NotSimulatedError);
  });
});
