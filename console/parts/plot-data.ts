type Values = readonly (number | null)[];

/** A line for whole minutes, and a dashed one to the last minute, which is not over. They share a point. */
export function splitLast(values: Values): { readonly whole: (number | null)[]; readonly last: (number | null)[] } {
  const end = values.length - 1;
  return {
    whole: values.map((value, index) => (index === end ? null : value)),
    last: values.map((value, index) => (index >= end - 1 ? value : null)),
  };
}

/** Where a value stands between two gaps, so that no line leads to it and a point must show it. */
export function loneIndices(values: Values): number[] {
  return values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? [index] : [],
  );
}

/** The labels of a time axis in the zone of this machine: the day at midnight, else the time. @param times in milliseconds */
export function labelTimes(times: readonly number[]): string[] {
  return times.map((time) => {
    const date = new Date(time);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
    return isMidnight ? date.toLocaleDateString('en-GB', { day: '2-digit', month: 'short' }) : minuteOf(time);
  });
}

export function minuteOf(time: number): string {
  return new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
