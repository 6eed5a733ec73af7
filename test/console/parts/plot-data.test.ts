import { expect, it } from 'vitest';
import { labelTimes, loneIndices, splitLast } from '#console/parts/plot-data.ts';

it('leaves gaps, and draws the last minute, which is not over, as a line of its own', () => {
  expect(splitLast([1, null, 2, 3])).toEqual({ whole: [1, null, 2, null], last: [null, null, 2, 3] });
});

it('shows a value between two gaps as a point', () => {
  expect(loneIndices([1, null, 2, null, 3, 4])).toEqual([0, 2]);
});

it('labels midnight with the day', () => {
  const midnight = new Date(2026, 0, 31).getTime();
  expect(labelTimes([midnight - 900_000, midnight])).toEqual(['23:45', '31 Jan']);
});
