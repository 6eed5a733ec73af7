import { describe, expect, it } from 'vitest';
import { createProgress, formatProgress } from './progress.ts';

describe('the progress bar of the simulation', () => {
  it.each([
    [0, 0, '░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 300 histories, 0 per second'],
    [150, 3, '███████████████░░░░░░░░░░░░░░░ 150 of 300 histories, 50 per second'],
    [300, 4, '██████████████████████████████ 300 of 300 histories, 75 per second'],
  ])('shows the share and the rate after %i histories', (done, seconds, text) => {
    expect(formatProgress(done, 300, seconds)).toBe(text);
  });
});

describe('the progress output', () => {
  it.each([
    [true, ['\ra\u001b[K', '\rb\u001b[K', '\rc\u001b[K', '\rd\u001b[K']],
    [false, ['c\n']],
  ])('overwrites its line on a terminal, and prints a line per minute elsewhere (terminal: %s)', (isTTY, expected) => {
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
