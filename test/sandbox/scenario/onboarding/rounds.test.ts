import { describe, expect, it } from 'vitest';
import { createLiveTable, formatSteps, formatStepsInLine } from '#sandbox/scenario/onboarding/rounds.ts';
import { type IdentificationMode, newOnboarding } from '#shared/onboarding/onboarding-state.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';

const time = new Date('2026-11-21T08:00:00.000Z');
const row = (step: OnboardingStep, mode: IdentificationMode) => ({
  state: { ...newOnboarding(mode, time.toISOString()), step },
});
const rows = [row('COMPLETED', 'none'), row('AWAITING_VIDEO_CALL', 'video'), row('COMPLETED', 'video')];

function shownOn(isTTY: boolean): string[] {
  const written: string[] = [];
  const { show, leave } = createLiveTable({ isTTY, write: (text) => written.push(text) });
  show({ time, rows, erased: [], actions: {} });
  show({ time, rows: rows.slice(0, 1), erased: [], actions: {} });
  leave();
  show({ time, rows, erased: [], actions: {} });
  return written;
}

describe('sandbox scenario: createLiveTable', () => {
  it('counts the onboardings of each mode at each step, in the order of the steps', () => {
    const [head, , ...lines] = formatSteps({ time, rows, erased: ['o'], actions: {} }).split('\n');
    expect(head?.split(/\s{2,}/)).toEqual(['2026-11-21 08:00', 'video', 'supplied', 'none', 'all']);
    expect(lines.map((line) => line.split(/\s+/))).toEqual([
      ['AWAITING_VIDEO_CALL', '1', '0', '0', '1'],
      ['COMPLETED', '1', '0', '1', '2'],
      ['erased', '1'],
    ]);
  });

  it('lists the performed actions below the table', () => {
    const actions = { cancel: 2, update: 1 };
    expect(formatSteps({ time, rows, erased: [], actions }).split('\n').at(-1)).toBe('done: cancel 2 · update 1');
  });

  it('prints a line when the output is no terminal', () => {
    expect(formatStepsInLine({ time, rows, erased: [], actions: {} })).toBe(
      '  2026-11-21 08:00  1 AWAITING_VIDEO_CALL · 2 COMPLETED',
    );
    expect(formatStepsInLine({ time, rows: [], erased: ['o', 'p'], actions: { fix: 3, erase: 2 } })).toBe(
      '  2026-11-21 08:00  2 erased; done: fix 3 · erase 2',
    );
    expect(shownOn(false)).toEqual([
      '  2026-11-21 08:00  1 AWAITING_VIDEO_CALL · 2 COMPLETED\n',
      '  2026-11-21 08:00  1 COMPLETED\n',
      '  2026-11-21 08:00  1 AWAITING_VIDEO_CALL · 2 COMPLETED\n',
    ]);
  });

  it('redraws the table on a terminal, unless other output follows it', () => {
    const [first = '', second, third] = shownOn(true);
    const lines = first.split('\n').length - 1;
    expect(second?.startsWith(`\x1b[${lines}A\x1b[J\n2026-11-21 08:00`)).toBe(true);
    expect(third).toBe(first);
  });
});
