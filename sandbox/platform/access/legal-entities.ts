export type LegalEntities = ReturnType<typeof createLegalEntities>;

/** The legal entities that a natural person may represent (section 5, rule 5). Section 2.6 shows none of their fields but the id. */
export function createLegalEntities({ newId }: { readonly newId: () => string }) {
  const ids = new Set<string>();

  return {
    /** Returns the id of a new one. */
    create: (): string => {
      const legalEntityId = newId();
      ids.add(legalEntityId);
      return legalEntityId;
    },
    has: (legalEntityId: string): boolean => ids.has(legalEntityId),
    list: (): readonly string[] => [...ids],
    /** Replaces every legal entity. */
    restore: (saved: readonly string[]): void => {
      ids.clear();
      for (const id of saved) ids.add(id);
    },
  };
}
