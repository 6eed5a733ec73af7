/** A number and its noun: `1 event`, `2 events`. @param plural if it is not the noun and an s */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
