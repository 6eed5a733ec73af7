import { describe, expect, it } from 'vitest';
import { isOfAge, isWithin24Months } from '#sandbox/platform/persons/calendar.ts';

describe('sandbox platform: isWithin24Months (section 8)', () => {
  it.each([
    ['2024-02-29', '2022-02-28', true],
    ['2024-02-29', '2022-02-27', false],
    ['2026-02-28', '2024-02-28', true],
    ['2026-02-28', '2024-02-27', false],
    ['2026-03-01', '2024-02-29', false],
    ['2026-03-01', '2024-03-01', true],
    ['2026-01-01', '2026-01-02', false],
    ['2026-01-01', '2024-01-01', true],
  ])('decides that on %s the date %s is within 24 months: %s', (today, date, isWithin) => {
    expect(isWithin24Months(date, today)).toBe(isWithin);
  });
});

describe('sandbox platform: isOfAge', () => {
  it.each([
    ['2026-11-21', '2008-11-21', true],
    ['2026-11-21', '2008-11-22', false],
    ['2026-02-28', '2008-02-29', false],
    ['2026-03-01', '2008-02-29', true],
    ['2024-02-29', '2006-02-28', true],
    ['2024-02-29', '2006-03-01', false],
    ['2026-11-21', '0001-01-01', true],
    ['2026-11-21', '2030-01-01', false],
  ])('decides that on %s a person born on %s is of age: %s', (today, birthDay, isGrownUp) => {
    expect(isOfAge(birthDay, today)).toBe(isGrownUp);
  });
});
