import { expect, it } from 'vitest';
import { countNewer } from '#console/data/live.ts';

it('counts the lines that came since a page was paused, also when the window has dropped older ones', () => {
  const [a, b, c, d] = [{ number: 1 }, { number: 2 }, { number: 3 }, { number: 4 }];
  expect(countNewer([b, a], [b, a])).toBe('0');
  expect(countNewer([b, a], [d, c, b])).toBe('2');
  expect(countNewer([], [b, a])).toBe('2');
});

it('says that more came than the window keeps', () => {
  expect(countNewer([{ number: 1 }], [{ number: 4 }, { number: 3 }])).toBe('2+');
});
