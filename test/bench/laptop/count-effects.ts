import type { Audit } from '#sandbox/scenario/common/event-audit.ts';
import type { PublishedChange } from '#sandbox/scenario/common/published-changes.ts';

/** An order as the entities table has it. */
export type StoredOrder = { readonly id: string; readonly version: number; readonly status: string | undefined };

export type EffectsProps = {
  /** The ids of the orders. Each had one webhook, which may have come twice. */
  readonly orders: readonly string[];
  readonly audit: Audit;
  readonly stored: readonly StoredOrder[];
  /** What was put on the bus about these orders. */
  readonly changes: readonly PublishedChange[];
  readonly deadLetters: number;
};

/** What webhooks have caused besides what they should. */
export type Effects = {
  /** Webhooks that were not answered 200, or are not stored; orders without an entity or a change on the bus; dead letters. */
  readonly lost: number;
  /** Events that are stored twice or changed; entities that were written twice or have another status; further changes. */
  readonly duplicated: number;
  /** Copies of a change on the bus. Delivery is at least once, and consumers recognize a copy by its sequence. */
  readonly copies: number;
};

/** Compares what is stored and published with one effect for each order. */
export function countEffects({ orders, audit, stored, changes, deadLetters }: EffectsProps): Effects {
  const entities = new Set(stored.map(({ id }) => id));
  const changed = new Set(changes.map(({ id }) => id));
  const distinct = new Set(changes.map(({ id, sequence, status }) => JSON.stringify([id, sequence, status])));
  const without = (ids: ReadonlySet<string>) => orders.filter((id) => !ids.has(id)).length;
  const isWrong = ({ version, status }: StoredOrder) => version !== 1 || status !== 'PENDING';
  return {
    lost: audit.lost + audit.refused + without(entities) + without(changed) + deadLetters,
    duplicated: audit.doubled + audit.changed + stored.filter(isWrong).length + distinct.size - changed.size,
    copies: changes.length - distinct.size,
  };
}
