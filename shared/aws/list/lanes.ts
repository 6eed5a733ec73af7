/** Lanes over which a list spreads its rows, unless the setting `listLanes` says otherwise; those of every earlier release. */
export const usualLanes = 16;

/** The most that the setting takes: a page queries each lane. */
export const maxLanes = 128;

/** The lane of a row. @param hash hexadecimal, of 8 digits or more: the id of the row, or a digest of the id */
export function laneOf(hash: string, lanes: number): string {
  return Math.floor((Number.parseInt(hash.slice(0, 8), 16) / 2 ** 32) * lanes).toString(16);
}

/** The names of so many lanes. Fewer lanes are the first ones of more, so a reader needs the greatest number only. */
export function laneNames(lanes: number): readonly string[] {
  return Array.from({ length: lanes }, (_, lane) => lane.toString(16));
}
