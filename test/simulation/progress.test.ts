import { describe, expect, it } from 'vitest';
import { formatProgress } from './progress.ts';

describe('the progress of a simulation', () => {
  it.each([
    [0, 0, '░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 300 histories, 0 a second'],
    [150, 3, '███████████████░░░░░░░░░░░░░░░ 150 of 300 histories, 50 a second'],
    [300, 4, '██████████████████████████████ 300 of 300 histories, 75 a second'],
  ])('after %i', (done, seconds, text) => {
    expect(formatProgress(done, 300, seconds)).toBe(text);
  });
});
