import type { EntityKind } from '#shared/platform/profile/event-place.ts';

/** What the commands call each kind of entity. */
export const entityGroups: Readonly<Record<EntityKind, string>> = {
  order: 'orders',
  transfer: 'transfers',
  'natural-person': 'persons',
  'identification-verification': 'verifications',
};
