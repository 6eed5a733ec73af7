import type { PlantedBug } from './planted-bug.ts';

const storeBatch = 'functions/webhook-ingest/store/store-batch.ts';

/** Bugs in the calls that the records of a batch share. */
export const batchBugs: readonly PlantedBug[] = [
  {
    name: 'of the records with rejected events, only the later ones fail',
    file: 'shared/bus/bus.ts',
    find: 'groups.filter((group) => !isTaken(group))',
    replace: 'groups.filter((group) => !isTaken(group)).slice(1)',
    breaks: [2, 3],
  },
  {
    name: 'a failed record of a batch is acknowledged',
    file: storeBatch,
    find: 'calls.leave(member);',
    replace: 'calls.leave(member);\n          return;',
    breaks: [2, 3, 8],
  },
  {
    name: 'of the events of an entity in a batch, only one is merged',
    file: 'shared/entities/plan-merge.ts',
    find: 'row = result.row;',
    replace: 'row = row === before ? result.row : row;',
    breaks: [2, 3, 4],
  },
  {
    name: 'an entity is written at the version that the batch gives it',
    file: 'shared/entities/entity-store.ts',
    find: 'await save(key, next, row?.version ?? 0);',
    replace: 'await save(key, next, next.version - 1);',
    breaks: [9],
  },
];
