import { expect, it } from 'vitest';
import type { ShownOnboarding } from '#cli/onboardings/conceal-link.ts';
import { followOnboarding } from '#cli/onboardings/follow-onboarding.ts';
import { createOutput } from '#cli/output/output.ts';

it('cli onboardings --watch prints a step once, although the onboarding is saved twice at the step', async () => {
  const read = (step: ShownOnboarding['step'], sequence: number): ShownOnboarding => ({
    ...{ onboardingId: 'a'.repeat(64), mode: 'video', step, sequence, reasons: [], hasIdentificationUrl: false },
    ...{ since: `2026-01-02T03:04:0${step.length % 10}.000Z`, acceptedOn: '2026-01-02T03:04:00.000Z' },
  });
  const reads = [
    read('AWAITING_CHECKS', 1),
    read('AWAITING_CHECKS', 2),
    read('AWAITING_VIDEO_CALL', 3),
    read('COMPLETED', 4),
  ];
  let printed = '';
  const output = createOutput({
    isJson: false,
    stdout: (text) => (printed += text),
    stderr: () => undefined,
    terminalWidth: () => undefined,
  });
  await followOnboarding(
    { output, read: async () => reads.shift() ?? expect.unreachable('The onboarding has ended.') },
    { wait: async () => undefined, untilInterrupted: () => new AbortController().signal },
  );
  expect(printed.match(/AWAITING_CHECKS/g)).toHaveLength(1);
  expect(printed).toMatch(/AWAITING_VIDEO_CALL\n(.*\n)*step +COMPLETED/);
});
