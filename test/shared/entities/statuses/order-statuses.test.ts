import { describe, expect, it } from 'vitest';
import { orderTransitions } from '#sandbox/platform/trading/orders/order-states.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';

/** What may follow each status: section 3.3 as the sandbox has it, in a table of its own, and the rows of section 3.4 with INVALID. */
const specified: Readonly<Record<'order' | 'transfer', Readonly<Record<string, readonly string[]>>>> = {
  order: { '(none)': ['RECEIVED'], ...orderTransitions },
  transfer: {
    '(none)': ['RECEIVED', 'PROCESSED'],
    RECEIVED: ['PENDING', 'REJECTED', 'INVALID'],
    PENDING: ['PROCESSED'],
  },
};

describe('sections 3.3 and 3.4: the transitions of the table', () => {
  it.each(['order', 'transfer'] as const)('are those of the specification, and no others: %s', (kind) => {
    const { transitions } = entityRules[kind].statuses.table;
    const stated = Object.entries(specified[kind]).flatMap(([from, next]) => next.map((to) => `${from} → ${to}`));
    expect(transitions.map(({ from, to }) => `${from} → ${to}`).toSorted()).toEqual(stated.toSorted());
  });
});
