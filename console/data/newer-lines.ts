/** How many lines came since, the latest first. The window keeps only the latest: `500+` where the first of these is gone. */
export function countNewer<Line>([latest]: readonly Line[], lines: readonly Line[]): string {
  const newer = latest === undefined ? lines.length : lines.indexOf(latest);
  return newer < 0 ? `${lines.length}+` : String(newer);
}
