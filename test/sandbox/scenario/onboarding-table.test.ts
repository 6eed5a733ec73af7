import { describe, expect, it } from 'vitest';
import { createLiveTable, formatSteps, formatStepsInLine } from '#sandbox/scenario/onboarding-table.ts';
import { type IdentificationMode, newOnboarding } from '#shared/onboarding-state.ts';
import type { OnboardingStep } from '#shared/onboarding-steps.ts';

const time = new Date('2026-11-21T08:00:00.000Z');
const row = (step: OnboardingStep, mode: IdentificationMode) => ({
  state: { ...newOnboarding(mode, time.toISOString()), step },
});
const rows = [row('COMPLETED', 'none'), row('AWAITING_VIDEO_CALL', 'video'), row('COMPLETED', 'video')];

function shownOn(isTTY: boolean): string[] {
  const written: string[] = [];
  const { show, leave } = createLiveTable({ isTTY, write: (text) => written.push(text) });
  show({ time, rows, erased: [], deeds: {} });
  show({ time, rows: rows.slice(0, 1), erased: [], deeds: {} });
  leave();
  show({ time, rows, erased: [], deeds: {} });
  return written;
}

describe('the live table of the scenario onboarding', () => {
  it('counts the onboardings of each mode at each step, in the order of the steps', () => {
    const [head, , ...lines] = formatSteps({ time, rows, erased: ['o'], deeds: {} }).split('\n');
    expect(head?.split(/\s{2,}/)).toEqual(['2026-11-21 08:00', 'video', 'supplied', 'none', 'all']);
    expect(lines.map((line) => line.split(/\s+/))).toEqual([
      ['AWAITING_VIDEO_CALL', '1', '0', '0', '1'],
      ['COMPLETED', '1', '0', '1', '2'],
      ['erased', '1'],
    ]);
  });

  it('says below it what people did', () => {
    const deeds = { cancel: 2, update: 1 };
    expect(formatSteps({ time, rows, erased: [], deeds }).split('\n').at(-1)).toBe('done: cancel 2 · update 1');
  });

  it('is a line where there is no terminal', () => {
    expect(formatStepsInLine({ time, rows, erased: [], deeds: {} })).toBe(
      '  2026-11-21 08:00  1 AWAITING_VIDEO_CALL · 2 COMPLETED',
    );
    expect(formatStepsInLine({ time, rows: [], erased: ['o', 'p'], deeds: { mend: 3, erase: 2 } })).toBe(
      '  2026-11-21 08:00  2 erased; done: mend 3 · erase 2',
    );
    expect(shownOn(false)).toEqual([
      '  2026-11-21 08:00  1 AWAITING_VIDEO_CALL · 2 COMPLETED\n',
      '  2026-11-21 08:00  1 COMPLETED\n',
      '  2026-11-21 08:00  1 AWAITING_VIDEO_CALL · 2 COMPLETED\n',
    ]);
  });

  it('is drawn over what it was on a terminal, unless something else was written below it', () => {
    const [first = '', second, third] = shownOn(true);
    const lines = first.split('\n').length - 1;
    expect(second?.startsWith(`\x1b[${lines}A\x1b[J\n2026-11-21 08:00`)).toBe(true);
    expect(third).toBe(first);
  });
});
