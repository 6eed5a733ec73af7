import type { BatchGet, ItemKey } from '#shared/aws/batch-get.ts';
import { type EntityKey, keyOfState } from '#shared/entities/entity-row.ts';
import type { BatchCall } from '#shared/entities/entity-store.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';

/** What an event names that may be erased. */
export type Subjects = { readonly entities: readonly EntityKey[]; readonly onboardingIds: readonly string[] };

/** Whether any of the subjects is erased, or is being erased. The erasure does not search again for events that arrive later. */
export type HasErased = (subjects: Subjects) => Promise<boolean>;

export type FindErasedDeps = {
  readonly batchGet: BatchGet;
  readonly entitiesTable: string;
  readonly onboardingsTable: string;
};

/** What is read of an onboarding: nothing that may be personal data. */
export const erasureAttributes = [onboardingKeys.partition, onboardingKeys.erasedOn, onboardingKeys.erasingOn];

const tombstones = [onboardingKeys.erasedOn, onboardingKeys.erasingOn];

/** Reads for several events whether anything that they name is erased, in one call. */
export function createFindErased({ batchGet, ...tables }: FindErasedDeps): BatchCall<Subjects, boolean> {
  function keysOf({ entities, onboardingIds }: Subjects): readonly ItemKey[] {
    return [
      ...entities.map((key) => ({ tableName: tables.entitiesTable, key: keyOfState(key) })),
      ...onboardingIds.map((id) => ({
        tableName: tables.onboardingsTable,
        key: { [onboardingKeys.partition]: { S: id } },
      })),
    ];
  }

  return async (all) => {
    const itemOf = await batchGet(all.flatMap(keysOf));
    return (subjects) =>
      keysOf(subjects).some((key) => tombstones.some((attribute) => itemOf(key)?.[attribute] !== undefined));
  };
}
