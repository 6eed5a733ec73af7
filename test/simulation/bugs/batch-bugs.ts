import type { PlantedBug } from './planted-bug.ts';

const storeBatch = 'functions/webhook-ingest/store/store-batch.ts';
const sharedCalls = 'functions/webhook-ingest/store/shared-calls.ts';

/** Bugs in the calls that the records of a batch share. */
export const batchBugs: readonly PlantedBug[] = [
  {
    name: 'an unprocessed key counts as absent',
    file: 'shared/aws/batch-get.ts',
    find: 'for (const name of left.keys()) unread.add(name);',
    replace: '',
    breaks: [2, 3, 4, 8, 9],
  },
  {
    name: 'the keys that DynamoDB leaves unprocessed are not read again',
    file: 'shared/aws/batch-get.ts',
    find: 'return new Map(left.map((key) => [nameOf(key), key]));',
    replace: 'return new Map();',
    breaks: [2, 3, 4, 8, 9],
  },
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
    name: 'a record that failed holds up its batch',
    file: storeBatch,
    find: '} finally {',
    replace: '} catch (error) {\n          calls.join();\n          throw error;\n        } finally {',
    breaks: [2, 3, 9],
  },
  {
    name: 'a shared call starts without the records that are on their way',
    file: sharedCalls,
    find: 'Math.min(...members.map(({ reached }) => reached))',
    replace: 'Math.max(...members.map(({ reached }) => reached))',
    breaks: [2, 3, 9],
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
  {
    name: 'a commit counts an erased event as new',
    file: 'shared/events/event-writes.ts',
    find: "condition: ['attribute_not_exists(erasedOn)'],",
    replace: 'condition: [],',
    breaks: [3, 4, 8, 9],
  },
];
