import type { TimelineEventAnswer } from '#shared/api/query-answers.ts';
import type { StatusTable } from '#shared/entities/statuses/status-table.ts';
import { drawGraph, pathEdges } from './draw-graph.ts';

export type DrawStatesProps = {
  readonly direction: 'LR' | 'TB';
  readonly table: StatusTable;
  /** The status that is shown now. */
  readonly current: string | undefined;
  /** The changes of the entity, in their order. */
  readonly path: readonly StatusChange[];
};

export type StatusChange = { readonly from: string | undefined; readonly to: string };

const begin = 'begin';

/** The changes of the status that is shown, in the order of their sequence. */
export function pathOf(events: readonly TimelineEventAnswer[]): readonly StatusChange[] {
  return events
    .flatMap(({ change }) => (change?.status === undefined ? [] : [{ ...change, status: change.status }]))
    .toSorted((one, other) => one.sequence - other.sequence)
    .filter(({ statusBefore, status }) => statusBefore !== status)
    .map(({ statusBefore, status }) => ({ from: statusBefore, to: status }));
}

/** The statuses of a kind with the present one lit, and the path that the entity took. Statuses that the table does not have are added. */
export function drawStates({ direction, table, current, path }: DrawStatesProps): Promise<string> {
  const known = new Set(table.statuses.map(({ status }) => status));
  const onPath = path.flatMap(({ from, to }) => [from, to]).filter((status) => status !== undefined);
  const unknown = [...new Set([...onPath, ...(current === undefined ? [] : [current])])].filter(
    (each) => !known.has(each),
  );
  const classesOf = (status: string, isFinal: boolean) => [
    'state',
    ...(isFinal ? ['final'] : []),
    ...(known.has(status) ? [] : ['unknown']),
    ...(onPath.includes(status) ? ['visited'] : []),
    ...(status === current ? ['current'] : []),
  ];
  const stated = table.transitions.map(({ from, to }) => ({ from: from === '(none)' ? begin : from, to }));
  const taken = path.map(({ from = begin, to }) => ({ from, to }));
  return drawGraph({
    direction,
    nodes: [
      { name: begin, label: '', shape: 'begin', classes: ['begin'], tooltip: 'begin' },
      ...table.statuses.map(({ status, meaning, final }) => ({
        name: status,
        label: status,
        classes: classesOf(status, final),
        tooltip: `${status}: ${meaning}`,
      })),
      ...unknown.map((status) => ({
        name: status,
        label: status,
        classes: classesOf(status, false),
        tooltip: `${status}: the tables do not have this status`,
      })),
    ],
    edges: pathEdges(stated, taken, 'skipped'),
  });
}
