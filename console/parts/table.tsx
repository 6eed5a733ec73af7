import type { ComponentChildren } from 'preact';

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand on the right. */
  readonly isNumber?: boolean;
  /** Left out in a narrow window. */
  readonly isMinor?: boolean;
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
};

/** Rows of one line each. The first cell of a row is its link, so that the keyboard has one stop for each row. */
export function Table<Row>({ caption, columns, rows, keyOf, href, classOf }: TableProps<Row>) {
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
          {rows.map((row) => {
            const target = href?.(row);
            return (
              <tr
                key={keyOf(row)}
                class={[target === undefined ? '' : 'linked', classOf?.(row) ?? ''].join(' ').trim()}
              >
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
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
