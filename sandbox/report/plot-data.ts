/** Curves over one axis. A value holds until the next one. */
export type PlotData = {
  /** What `at` means: seconds since 1970, shown in UTC, or seconds since the start of a run. */
  readonly axis: 'time' | 'seconds';
  readonly at: readonly number[];
  readonly curves: readonly { readonly name: string; readonly values: readonly number[] }[];
};
