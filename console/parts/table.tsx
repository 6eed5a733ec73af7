import { type ComponentChildren, Fragment } from 'preact';
import { clockDay } from '#console/data/live.ts';
import { useIsNarrow } from '#console/data/media.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { dayBetween } from '#console/data/written-time.ts';

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand on the right. */
  readonly isNumber?: boolean;
  /** Left out in a narrow window. */
  readonly isMinor?: boolean;
  /** On a line of its own below the row in a narrow window. */
  readonly isBelow?: boolean;
};

export type TableProps<Row> = {
  /** What the table lists, for readers who do not see it. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Where the row leads. */
  readonly href?: (row: Row) => string | undefined;
  readonly classOf?: (row: Row) => string;
  /** The time of a row, of rows that are in its order: a line with the date stands where the day changes. */
  readonly timeOf?: (row: Row) => string | undefined;
};

/** Rows of one line each. The first cell of a row is its link, so that the keyboard has one stop for each row. */
export function Table<Row>({ caption, columns: all, rows, keyOf, href, classOf, timeOf }: TableProps<Row>) {
  const today = useSharedValue(clockDay);
  const isNarrow = useIsNarrow();
  const columns = isNarrow ? all.filter(({ isBelow }) => isBelow !== true) : all;
  const below = isNarrow ? all.filter(({ isBelow }) => isBelow === true) : [];
  const classes = ({ isNumber, isMinor }: Column<Row>) =>
    [isNumber === true ? 'number' : '', isMinor === true ? 'minor' : ''].join(' ').trim();
  return (
    <div class="table-frame">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classes(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => {
            const target = href?.(row);
            const previous = rows[number - 1];
            const day = timeOf && dayBetween(previous && timeOf(previous), timeOf(row), today);
            return (
              <Fragment key={keyOf(row)}>
                {day !== undefined && (
                  <tr class="day">
                    <td colSpan={columns.length}>{day}</td>
                  </tr>
                )}
                <tr class={[target === undefined ? '' : 'linked', classOf?.(row) ?? ''].join(' ').trim()}>
                  {columns.map((column, index) => (
                    <td key={column.title} class={classes(column)}>
                      {index === 0 && target !== undefined ? (
                        <a href={target} data-row>
                          {column.cell(row)}
                        </a>
                      ) : (
                        column.cell(row)
                      )}
                    </td>
                  ))}
                </tr>
                {below.length > 0 && (
                  <tr class="below">
                    <td colSpan={columns.filter(({ isMinor }) => isMinor !== true).length}>
                      {below
                        .map(({ title, cell }) => ({ title, content: cell(row) }))
                        .filter(({ content }) => content !== '')
                        .map(({ title, content }) => (
                          <span key={title}>
                            {title}: {content}
                          </span>
                        ))}
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
