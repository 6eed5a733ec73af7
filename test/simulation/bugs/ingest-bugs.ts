import type { PlantedBug } from './planted-bug.ts';

const receive = 'functions/webhook-ingest/receive/receive.ts';
const handler = 'shared/lambda/handler.ts';
const storeRecord = 'functions/webhook-ingest/store/store-record.ts';
const event = 'shared/events/event.ts';
const jsonText = 'shared/events/json-text.ts';
const planMerge = 'shared/entities/plan-merge.ts';
const bus = 'shared/bus/bus.ts';
const entityView = 'shared/entities/merge/entity-view.ts';

/** Bugs in what receives webhooks, stores their events, merges them into entities, and publishes the changes. */
export const ingestBugs: readonly PlantedBug[] = [
  {
    name: 'receive answers before SQS confirms the webhook',
    file: receive,
    find: 'await queue.send(',
    replace: 'void queue.send(',
    breaks: [1],
  },
  {
    name: 'a delivery is queued and then answered with 401',
    file: receive,
    find: "      onRejected('WRONG_SECRET');",
    replace: "      await accept(z.parse(httpRequest, event));\n      onRejected('WRONG_SECRET');",
    breaks: [8],
  },
  {
    name: 'a failed message is deleted',
    file: handler,
    find: "log.error('message failed', { messageId, receives, deliveryId, eventId, onboardingId, error });",
    replace: 'return undefined;',
    breaks: [2, 3, 7, 9],
  },
  {
    name: 'a message that timed out is deleted',
    file: handler,
    find: "log.warn('message timed out', { messageId, receives, deliveryId, eventId, onboardingId });",
    replace: 'return undefined;',
    breaks: [2, 3],
  },
  {
    name: 'a message moves to the DLQ after ten receives',
    file: 'infra/parts/max-receive-count.ts',
    find: 'return Math.ceil(outageWithoutOperator / visibilityTimeout);',
    replace: 'return 10;',
    breaks: [3, 9],
  },
  {
    name: 'store does not wait for the commit',
    file: storeRecord,
    find: 'const { firstReceivedOn: first, outcome } = await commitEvent(event, delivery, indexedIds);',
    replace:
      "commitEvent(event, delivery, indexedIds).catch(() => undefined);\n    const first = delivery.receivedOn;\n    const outcome = 'stored';",
    breaks: [2, 3],
  },
  {
    name: 'a repeated delivery is counted twice',
    file: 'shared/events/event-store.ts',
    find: "'NOT contains(deliveryIds, :id)', ...condition]",
    replace: "'attribute_exists(eventId)', ...condition]",
    breaks: [2],
  },
  {
    name: 'an event is identified by its bytes instead of its content',
    file: event,
    find: 'idOf(eventType, canonical ?? body)',
    replace: 'idOf(eventType, body)',
    breaks: [2],
  },
  {
    name: 'two bodies that differ in a duplicate field count as one event',
    file: jsonText,
    find: 'const exact = shape.isExact && !hasDuplicateKeys;',
    replace: 'const exact = shape.isExact;',
    breaks: [3],
  },
  {
    name: 'a webhook with invalid JSON is retried until it reaches the DLQ',
    file: jsonText,
    find: 'if (error instanceof JsonTextError) return error;',
    replace: '',
    breaks: [9],
  },
  {
    // The check compares the stored classification with the workload's own text, without product code.
    name: 'every report about a transfer is quarantined',
    file: event,
    find: "if (placed === 'no entity')",
    replace: "if (eventType.startsWith('TRANSFER')) return quarantined('NO_ENTITY_ID');\n  if (placed === 'no entity')",
    breaks: [4],
  },
  {
    name: 'an event without an entity is not published',
    file: 'functions/webhook-ingest/store/apply-event.ts',
    find: "await bus.publish([busEventOf('EventReceived', { eventId, eventType, receivedOn })]);",
    replace: "return 'none';",
    breaks: [3],
  },
  {
    name: 'the write of an entity has no condition',
    file: 'shared/entities/entity-table.ts',
    find: "putIf(item, 'version = :read', { ':read': { N: String(versionRead) } })",
    replace: "putIf(item, 'attribute_exists(version)')",
    breaks: [2, 3, 4],
  },
  {
    name: 'a change is not published again after a crash',
    file: planMerge,
    find: 'return { effect, change: earlier.change, row: from };',
    replace: 'return { effect, change: undefined, row: from };',
    breaks: [2],
  },
  {
    name: 'an overtaken status is not published again after a crash',
    file: planMerge,
    find: 'const { effect } = earlier ?? result;',
    replace: 'const { effect } = result;',
    breaks: [2],
  },
  {
    name: 'a change that the bus rejected counts as published',
    file: bus,
    find: 'results.next().value?.EventId !== undefined',
    replace: 'results.next().value !== undefined',
    breaks: [2, 3],
  },
  {
    name: 'an untimed report decides regardless of its rank',
    file: entityView,
    find: 'if (highest !== undefined && untimed.includes(highest)) return { status: highest, modifiedOn: undefined };',
    replace: 'if (untimed.length > 0) return { status: untimed.at(-1), modifiedOn: undefined };',
    breaks: [2, 4],
  },
  {
    name: 'unknown statuses tie regardless of their first receipt',
    file: entityView,
    find: 'compare(one, other) || compareReceipts(first, second) || compareTexts(one, other)',
    replace: 'compare(one, other) || compareTexts(one, other)',
    breaks: [4],
  },
  {
    name: 'a replay starts where the count ended',
    file: 'functions/webhook-ingest/replay/replay-run.ts',
    find: "phase: 'sending', lanes: beginLanes(counted.lanes.length) } };",
    replace: "phase: 'sending' } };",
    breaks: [3, 9],
  },
];
