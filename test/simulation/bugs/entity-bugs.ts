import type { PlantedBug } from './planted-bug.ts';

const entityStore = 'shared/entities/entity-store.ts';
const entityState = 'shared/entities/merge/entity-state.ts';
const entityView = 'shared/entities/merge/entity-view.ts';
const times = 'shared/entities/merge/report-times.ts';

/** Bugs in the state and the view of an entity. */
export const entityBugs: readonly PlantedBug[] = [
  {
    name: 'the most recent times overwrite all others',
    file: entityState,
    find: 'extremesOf(entries.flatMap(([, own]) => own))',
    replace: 'extremesOf(entries.at(-1)?.[1] ?? [])',
    breaks: [2, 4],
  },
  {
    name: 'an untimed report decides regardless of its rank',
    file: entityView,
    find: 'if (highest !== undefined && untimed.includes(highest)) return { status: highest, modifiedOn: undefined };',
    replace: 'if (untimed.length > 0) return { status: untimed.at(-1), modifiedOn: undefined };',
    breaks: [2, 4],
  },
  {
    name: 'an entity loses the events that exceed its state',
    file: entityStore,
    find: 'for (const entry of moved) await table.moveEvent(key, entry);',
    replace: '',
    breaks: [3],
  },
  {
    name: 'only the latest time of a status is kept',
    file: times,
    find: 'return [...new Set([...sorted.slice(0, 1), ...sorted.slice(-1)])];',
    replace: 'return sorted.slice(-1);',
    breaks: [3, 4],
  },
  {
    name: 'unknown statuses tie regardless of their first receipt',
    file: entityView,
    find: 'compare(one, other) || compareReceipts(first, second) || compareTexts(one, other)',
    replace: 'compare(one, other) || compareTexts(one, other)',
    breaks: [4],
  },
  {
    name: 'an unknown status ranks above every open one',
    file: 'shared/entities/statuses/status-table.ts',
    find: 'const lowestFollower = table.statuses.findIndex(canFollow);',
    replace: 'const lowestFollower = table.statuses.findIndex(({ final }) => final);',
    breaks: [4],
  },
];
