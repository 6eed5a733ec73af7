import type { PlantedBug } from './planted-bug.ts';

const receive = 'functions/webhook-ingest/receive/receive.ts';
const store = 'functions/webhook-ingest/store/store-record.ts';
const applyEvent = 'functions/webhook-ingest/store/apply-event.ts';
const handler = 'shared/lambda/handler.ts';
const eventWrites = 'shared/events/event-writes.ts';
const planMerge = 'shared/entities/plan-merge.ts';
const entityTable = 'shared/entities/entity-table.ts';
const knowledge = 'shared/entities/merge/entity-state.ts';

/** Bugs in the functions that receive webhooks and apply them. */
export const ingestBugs: readonly PlantedBug[] = [
  {
    name: 'receive answers before SQS confirms the webhook',
    file: receive,
    find: 'await queue.send(',
    replace: 'void queue.send(',
    breaks: [1],
  },
  {
    name: 'a webhook that SQS refused is acknowledged',
    file: 'shared/aws/queue.ts',
    find: "throw new QueueError('SQS did not take the message: send it again.', { cause });",
    replace: "return { MessageId: 'none' };",
    breaks: [1],
  },
  {
    name: 'a failed webhook is acknowledged',
    file: handler,
    find: 'request.response = problem(unavailable, failed);',
    replace: 'request.response = { statusCode: 200 };',
    breaks: [1],
  },
  {
    name: 'a delivery without a secret passes the early check',
    file: receive,
    find: 'if (candidate === undefined || !isPlausibleSecret(candidate)) {',
    replace: "if (candidate === undefined) return takeIn(z.parse(httpRequest, event));\n    if (candidate === '') {",
    breaks: [8],
  },
  {
    name: 'a delivery is queued and then answered with 401',
    file: receive,
    find: "      onRejected('WRONG_SECRET');",
    replace: "      await takeIn(z.parse(httpRequest, event));\n      onRejected('WRONG_SECRET');",
    breaks: [8],
  },
  {
    name: 'a rotation forgets the previous secret',
    file: 'shared/secrets/webhook-secret.ts',
    find: '[current, previous].filter',
    replace: '[current].filter',
    breaks: [1],
  },
  {
    name: 'the log contains the new secret',
    file: 'functions/webhook-ingest/register/rotate-secret.ts',
    find: "log.info('webhook secret rotation', { reason: step });",
    replace: "log.info('webhook secret rotation', { reason: value.current });",
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
    name: 'the batch response reports no failures',
    file: handler,
    find: '.filter((id) => id !== undefined)',
    replace: '.filter(() => false)',
    breaks: [2, 3, 9],
  },
  {
    name: 'store does not wait for the commit',
    file: store,
    find: 'const { firstReceivedOn: first, outcome } = await commitEvent(event, delivery, names);\n    const { receivedOn }',
    replace:
      "commitEvent(event, delivery, names).catch(() => undefined);\n    const first = delivery.receivedOn;\n    const outcome = 'stored';\n    const { receivedOn }",
    breaks: [2, 3],
  },
  {
    name: 'store does not wait for the effect',
    file: store,
    find: 'await applyEvent({ ...event, ...whose(event, subject, names), names, receivedOn, firstReceivedOn: first });',
    replace:
      'applyEvent({ ...event, ...whose(event, subject, names), names, receivedOn, firstReceivedOn: first }).catch(() => undefined);',
    breaks: [2, 3],
  },
  {
    name: 'an event that was handed over has no effect',
    file: store,
    find: 'await applyEvent({ ...event, ...named, eventId, receivedOn, firstReceivedOn: firstReceivedOn(row) });',
    replace: '',
    breaks: [3],
  },
  {
    name: 'a repeated delivery is counted twice',
    file: eventWrites,
    find: "'NOT contains(deliveryIds, :id)', ...condition]",
    replace: "'attribute_exists(eventId)', ...condition]",
    breaks: [2],
  },
  {
    name: 'a delivery of a known event is not counted',
    file: eventWrites,
    find: "...set],\n      add: ['deliveries :one', 'deliveryIds :ids'],",
    replace:
      "...set, 'deliveries = if_not_exists(deliveries, :one)', 'deliveryIds = if_not_exists(deliveryIds, :ids)'],",
    breaks: [3, 5],
  },
  {
    name: 'the write of an entity has no condition',
    file: entityTable,
    find: "putIf(item, 'version = :read', { ':read': { N: String(versionRead) } })",
    replace: "putIf(item, 'attribute_exists(version)')",
    breaks: [2, 3, 4],
  },
  {
    name: 'a refused write of an entity counts as done',
    file: entityTable,
    find: 'return (await ifConditionHolds(dynamodb.send(command))) !== undefined;',
    replace: 'await ifConditionHolds(dynamodb.send(command)); return true;',
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
    name: 'a change counts as published regardless of the result',
    file: applyEvent,
    find: 'if (events.length > 0) await bus.publish(events);',
    replace: 'if (events.length > 0) bus.publish(events).catch(() => undefined);',
    breaks: [2],
  },
  {
    name: 'a change that the bus rejected counts as published',
    file: 'shared/bus/bus.ts',
    find: 'results.next().value?.EventId !== undefined',
    replace: 'results.next().value !== undefined',
    breaks: [2, 3],
  },
  {
    name: 'times are compared in milliseconds',
    file: 'shared/platform/fields/timestamp.ts',
    find: 'return oneSeconds - otherSeconds || oneFraction - otherFraction;',
    replace: 'return Date.parse(one) - Date.parse(other);',
    breaks: [4],
  },
  {
    name: 'the last merged report sets the time of receipt',
    file: knowledge,
    find: 'heardOn: laterTime(one.heardOn, other.heardOn),',
    replace: 'heardOn: other.heardOn ?? one.heardOn,',
    breaks: [4],
  },
  {
    name: 'a message moves to the DLQ after ten receives',
    file: 'infra/parts/max-receive-count.ts',
    find: 'return Math.ceil(outageWithoutOperator / visibilityTimeout);',
    replace: 'return 10;',
    breaks: [3, 9],
  },
  {
    name: 'a webhook with invalid JSON is retried until it reaches the DLQ',
    file: 'shared/events/json-text.ts',
    find: 'if (error instanceof JsonTextError) return error;',
    replace: '',
    breaks: [9],
  },
  {
    // The check compares the stored classification with the workload's own text, without product code.
    name: 'every report about a transfer is quarantined',
    file: 'shared/events/event.ts',
    find: "if (placed === 'no entity')",
    replace: "if (eventType.startsWith('TRANSFER')) return quarantined('NO_ENTITY_ID');\n  if (placed === 'no entity')",
    breaks: [4],
  },
  {
    name: 'an event is identified by its bytes instead of its content',
    file: 'shared/events/event.ts',
    find: 'hash(eventType, canonical ?? body)',
    replace: 'hash(eventType, body)',
    breaks: [2],
  },
];
