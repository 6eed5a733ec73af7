import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { QuarantineReason } from './event.ts';
import { eventKeys } from './event-row.ts';

/** A write of one event, without the table and the key. */
export type EventWrite = Pick<
  UpdateItemCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'
>;

type Item = Readonly<Record<string, AttributeValue>>;

type Parts = {
  readonly set?: readonly string[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
};

/** How an event is judged: it is in quarantine for a reason, or it is not. */
type Judgement = Parts & { readonly condition: readonly string[]; readonly values: Item };

const quarantineAttributes = ['quarantineReason', eventKeys.quarantine.partition];

/** What puts an event into quarantine, or takes it out. An erased event has no body to read: it stays out. */
function judgedAs(reason: QuarantineReason | undefined, shard: string): Judgement {
  if (reason === undefined) return { remove: quarantineAttributes, condition: [], values: {} };
  return {
    set: ['quarantineReason = :reason', 'quarantineShard = :shard'],
    condition: ['attribute_not_exists(erasedOn)'],
    values: { ':reason': { S: reason }, ':shard': { S: shard } },
  };
}

/** Puts an event into quarantine, or takes it out. Does nothing where there is none. */
export function judge(reason: QuarantineReason | undefined, shard: string): EventWrite {
  const { condition, values, ...parts } = judgedAs(reason, shard);
  return {
    UpdateExpression: expressionOf(parts),
    ConditionExpression: ['attribute_exists(eventId)', ...condition].join(' AND '),
    ...(reason !== undefined && { ExpressionAttributeValues: values }),
  };
}

/**
 * Writes an event that is new, or counts one more delivery of an event that is there, in one write. An event that is there
 * keeps its attributes, and is judged as it is judged now. Refused where this delivery was counted, where the
 * time of the event is over, and where an erased event would enter quarantine.
 *
 * @param row of the event, as if it were new
 * @param nowInSeconds since 1970
 */
export function putOrCount(row: Item, reason: QuarantineReason | undefined, nowInSeconds: number): EventWrite {
  const { deliveryIds } = row;
  const { condition, values, set = [], remove = [] } = judgedAs(reason, row['quarantineShard']?.S ?? '');
  const fixed = fixedAttributes(row);
  // TTL deletes days late: what has expired is as good as absent, and is replaced.
  const isAnother = ['expiresAt > :now', 'NOT contains(deliveryIds, :id)', ...condition].join(' AND ');
  return {
    UpdateExpression: expressionOf({
      set: [...fixed.map((name) => [name, ifAbsent(name)].join(' = ')), ...set],
      add: ['deliveries :one', 'deliveryIds :ids'],
      remove,
    }),
    ConditionExpression: `attribute_not_exists(eventId) OR (${isAnother})`,
    ExpressionAttributeValues: {
      ...Object.fromEntries(fixed.map((name) => [`:${name}`, row[name] ?? { NULL: true }])),
      ...counting(deliveryIds),
      ':now': { N: String(nowInSeconds) },
      ...values,
    },
  };
}

/** Counts one more delivery of an erased event, and changes nothing else of it. */
export function countErased({ deliveryIds }: Item): EventWrite {
  return {
    UpdateExpression: expressionOf({ add: ['deliveries :one', 'deliveryIds :ids'] }),
    ConditionExpression: 'attribute_exists(erasedOn) AND NOT contains(deliveryIds, :id)',
    ExpressionAttributeValues: counting(deliveryIds),
  };
}

/** Writes an event in place of one whose time is over. */
export function replaceExpired({ eventId: _, ...row }: Item, nowInSeconds: number): EventWrite {
  const lanes = [eventKeys.listed.partition, eventKeys.received.partition];
  const optional = ['erasedOn', 'handedOver', 'handedOverUntil', ...lanes, ...quarantineAttributes];
  return {
    UpdateExpression: expressionOf({
      set: Object.keys(row).map((name) => `${name} = :${name}`),
      remove: optional.filter((name) => row[name] === undefined),
    }),
    ConditionExpression: 'expiresAt <= :now',
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(row).map(([name, value]) => [`:${name}`, value])),
      ':now': { N: String(nowInSeconds) },
    },
  };
}

/** Puts an event that is listed by its type, and not among all types, there too. */
export function listReceived(lane: string): EventWrite {
  const { listed, received } = eventKeys;
  return {
    UpdateExpression: `SET ${received.partition} = :lane`,
    ConditionExpression: `attribute_exists(${listed.partition}) AND attribute_not_exists(${received.partition})`,
    ExpressionAttributeValues: { ':lane': { S: lane } },
  };
}

/** The attribute as it is, or the value of the row where it is absent. */
function ifAbsent(name: string): string {
  return `if_not_exists(${name}, :${name})`;
}

/** What an event keeps from its first delivery. */
function fixedAttributes(row: Item): readonly string[] {
  const others = ['eventId', 'deliveries', 'deliveryIds', ...quarantineAttributes];
  return Object.keys(row).filter((name) => !others.includes(name));
}

function counting(deliveryIds: AttributeValue = { SS: [] }): Record<string, AttributeValue> {
  return { ':one': { N: '1' }, ':ids': deliveryIds, ':id': { S: deliveryIds.SS?.[0] ?? '' } };
}

function expressionOf({ set = [], add = [], remove = [] }: Parts): string {
  const clauses = [
    ['SET', set],
    ['ADD', add],
    ['REMOVE', remove],
  ] as const;
  return clauses.flatMap(([word, parts]) => (parts.length > 0 ? [`${word} ${parts.join(', ')}`] : [])).join(' ');
}
