import { describe, expect, it } from 'vitest';
import { createProgress, formatProgress } from './progress.ts';

describe('the progress of a simulation', () => {
  it.each([
    [0, 0, '░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 300 histories, 0 a second'],
    [150, 3, '███████████████░░░░░░░░░░░░░░░ 150 of 300 histories, 50 a second'],
    [300, 4, '██████████████████████████████ 300 of 300 histories, 75 a second'],
  ])('after %i', (done, seconds, text) => {
    expect(formatProgress(done, 300, seconds)).toBe(text);
  });
});

describe('how the progress is shown', () => {
  it.each([
    [true, ['\ra\u001b[K', '\rb\u001b[K', '\rc\u001b[K', '\rd\u001b[K']],
    [false, ['c\n']],
  ])('on a terminal: %s', (isTTY, expected) => {
    const written: string[] = [];
    let time = 1_000;
    const show = createProgress({ isTTY, write: (text) => written.push(text), now: () => time });
    for (const text of ['a', 'b', 'c', 'd']) {
      show(text);
      time += 40_000;
    }
    expect(written).toEqual(expected);
  });
});
