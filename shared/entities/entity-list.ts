import { type ListDeps, type ListPage, type Position, readList } from '#shared/aws/list/read-list.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import { entityKeys, type ListedEntity, listLanesOf, readListedEntity } from './entity-row.ts';
import type { RulesByKind } from './statuses/entity-rules.ts';

/** Which entities of a kind: those for which all that is given holds. Times are ISO 8601, UTC, with milliseconds, inclusive. */
export type EntityFilter = {
  readonly status?: string | undefined;
  readonly changedFrom?: string | undefined;
  readonly changedTo?: string | undefined;
};

export type EntityPageRequest = {
  readonly kind: EntityKind;
  readonly filter: EntityFilter;
  readonly limit: number;
  readonly after: Position | undefined;
};

/** Lists the entities of a kind, the latest changed first. @throws `EntityRowError` when a row is not what we write */
export type ListEntities = (request: EntityPageRequest) => Promise<ListPage<ListedEntity>>;

type EntityListDeps = ListDeps & {
  readonly rules: RulesByKind;
  /** The most lanes that the entities of a status were ever spread over. */
  readonly readLanes: () => Promise<number>;
};

/** Lists entities by the index that the setting `listEntities` keeps. */
export function createListEntities({ rules, readLanes, ...deps }: EntityListDeps): ListEntities {
  const index = { ...entityKeys.listed, id: entityKeys.partition };
  return async ({ kind, filter: { status, changedFrom, changedTo }, limit, after }) => {
    const statuses = rules[kind].statuses.table.statuses.map((row) => row.status);
    return readList(deps, index, {
      lanes: listLanesOf(kind, status, { statuses, lanes: await readLanes() }),
      readRow: readListedEntity,
      isWanted: (entity) => status === undefined || entity.status === status,
      from: changedFrom,
      to: changedTo,
      after,
      limit,
    });
  };
}
