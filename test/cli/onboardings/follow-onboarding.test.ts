import { expect, it } from 'vitest';
import { followOnboarding } from '#cli/onboardings/follow-onboarding.ts';
import { formatOnboarding, type ShownOnboarding } from '#cli/onboardings/show-onboarding.ts';
import { createOutput } from '#cli/output/output.ts';

const read = (step: ShownOnboarding['step'], sequence: number): ShownOnboarding => ({
  ...{ onboardingId: 'a'.repeat(64), mode: 'video', step, sequence, reasons: [], hasIdentificationUrl: false },
  ...{ since: `2026-01-02T03:04:0${step.length % 10}.000Z`, acceptedOn: '2026-01-02T03:04:00.000Z' },
});

/** The exit code of the command, and what it prints on both streams while the onboarding is read as given. */
async function follow(reads: ShownOnboarding[]) {
  const printed = { stdout: '', stderr: '', exit: 0 };
  const output = createOutput({
    isJson: false,
    stdout: (text) => (printed.stdout += text),
    stderr: (text) => (printed.stderr += text),
    terminalWidth: () => undefined,
  });
  await followOnboarding(
    { output, read: async () => reads.shift() ?? expect.unreachable('The onboarding has ended.') },
    {
      wait: async () => undefined,
      untilInterrupted: () => new AbortController().signal,
      exit: (code) => (printed.exit = code),
    },
  );
  return printed;
}

it('prints each step once in onboardings --watch, although the onboarding is saved twice at the step', async () => {
  const { stdout, stderr } = await follow([
    read('AWAITING_CHECKS', 1),
    read('AWAITING_CHECKS', 2),
    read('AWAITING_VIDEO_CALL', 3),
    read('COMPLETED', 4),
  ]);
  expect(stdout.match(/AWAITING_CHECKS/g)).toHaveLength(1);
  expect(stdout).toMatch(/AWAITING_VIDEO_CALL\n(.*\n)*step +COMPLETED/);
  expect(stderr).toBe('');
});

it.each([
  ['FAILED', 1],
  ['STOPPED', 1],
  ['CANCELED', 0],
  ['COMPLETED', 0],
] as const)('ends onboardings --watch of a step %s with exit code %i', async (step, exit) => {
  expect((await follow([read(step, 1)])).exit).toBe(exit);
});

it('says once what a slow step waits for in onboardings --watch', async () => {
  const waiting = Array.from({ length: 30 }, (_, index) => read('AWAITING_ACTIVATION', index));
  const { stderr } = await follow([...waiting, read('COMPLETED', 30)]);
  expect(stderr).toBe(
    'AWAITING_ACTIVATION waits: only the platform can continue: it makes the person ACTIVE. To end, press Ctrl-C.\n',
  );
});

it('ends each command to copy in onboardings show without a full stop, and prints one remedy where the mode is none', () => {
  const stalledOn = '2026-01-02T03:04:06.000Z';
  const failing = { code: 'HTTP_500', since: stalledOn, attempts: 3, remedy: 'send POST' };
  expect(formatOnboarding({ ...read('CREATING_PERSON', 1), stalledOn, failing })).toMatch(
    new RegExp(
      `to retry now, run drawbridge onboardings retry onboardingId:${'a'.repeat(64)}\n.*: drawbridge logs failed-platform-calls$`,
    ),
  );
  const shown = formatOnboarding({
    ...read('AWAITING_ACTIVATION', 1),
    stalledOn,
    remedy: 'Your system identifies the person.',
  });
  expect(shown).toMatch(/\n\n- The step is over its deadline since \S+ Your system identifies the person\.$/);
});
