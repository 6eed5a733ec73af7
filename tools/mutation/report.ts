import type { Score } from './score.ts';

/** The page with the row of an area replaced. @throws {RangeError} where the page has no row of this area */
export function replaceRow(page: string, area: string, score: Score, on: Date): string {
  const { mutants, killed, timedOut, survivors, uncovered, percent } = score;
  const survived = survivors.length - uncovered;
  const cells = [
    area,
    mutants,
    killed,
    timedOut,
    survived,
    uncovered,
    percent.toFixed(1),
    on.toISOString().slice(0, 10),
  ];
  const lines = page.split('\n');
  const index = lines.findIndex((line) => line.startsWith(`| ${area} |`));
  if (index < 0) throw new RangeError(`The page has no row that begins with "| ${area} |": add one.`);
  return lines.with(index, `| ${cells.join(' | ')} |`).join('\n');
}

/** The survivors of an area, by the table of the scores: with those that no test runs. */
export function survivorsIn(page: string, area: string): number {
  const [, , , survived, uncovered] = cellsOf(page, `| ${area} |`)[0] ?? [];
  return Number(survived) + Number(uncovered);
}

/** The survivors of an area that the page judges. */
export function judgedIn(page: string, area: string): number {
  return cellsOf(page, `| ${area}: `).reduce((sum, [count]) => sum + Number(count), 0);
}

/** The cells of the rows with this beginning, without the first cell. */
function cellsOf(page: string, beginning: string): readonly (readonly string[])[] {
  const rows = page.split('\n').filter((line) => line.startsWith(beginning));
  return rows.map((row) =>
    row
      .split('|')
      .slice(2, -1)
      .map((cell) => cell.trim()),
  );
}
