import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import type { Transition } from '#shared/entities/statuses/status-table.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { statusWords } from './status-words.ts';

/** What an event says of an entity, or what your own table keeps of it. */
export type ReportedEntity = {
  readonly kind: EntityKind;
  readonly status?: string | undefined;
  readonly statusBefore?: string | undefined;
};

/**
 * Whether the entity must have had a status, even if no report of the status arrived: it has the status, had it before, or
 * has one to which every way leads through it. A SETTLED order was FILLED (section 3.3); a CANCELED one perhaps not.
 *
 * @param entity such as the detail of an event
 * @param status of section 3. A status that your environment declares decides only if the entity has it: compare it yourself.
 * @throws {TypeError} for a status that section 3 does not have
 */
export function hasReached<Kind extends EntityKind>(
  { kind, status: now, statusBefore }: ReportedEntity & { readonly kind: Kind },
  status: (typeof statusWords)[Kind][number],
): boolean {
  const { table, isKnown } = entityRules[kind].statuses;
  if (!isKnown(status))
    throw new TypeError(
      `${table.title} has no status ${status}: name one of ${table.statuses.map((row) => row.status).join(', ')}.`,
    );
  const others = table.transitions.filter(({ to }) => to !== status);
  const reachable = reachableFrom('(none)', others);
  return [now, statusBefore].some(
    (one) => one === status || (one !== undefined && isKnown(one) && !reachable.has(one)),
  );
}

function reachableFrom(start: string, transitions: readonly Transition[]): ReadonlySet<string> {
  const found = new Set([start]);
  // A set gives what is added while it is read.
  for (const status of found) for (const { from, to } of transitions) if (from === status) found.add(to);
  return found;
}
