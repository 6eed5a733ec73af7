import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onboardingTransitions } from '#functions/onboarding/state-machine/transitions.ts';
import { onboardingSteps } from '#shared/onboarding/onboarding-steps.ts';
import { writeOnboardingDocument } from './write-onboarding.ts';

describe('the page docs/reference/onboarding-steps.md', () => {
  const document = writeOnboardingDocument();

  it('is what is generated: run npx vitest run test/functions/onboarding/state-machine -u', async () => {
    await expect(document).toMatchFileSnapshot(
      join(import.meta.dirname, '../../../../docs/reference/onboarding-steps.md'),
    );
  });

  it('has every step, and every event with the step that it leads to', () => {
    for (const { step, meaning } of onboardingSteps) expect(document).toContain(`| ${step} | ${meaning} |`);
    for (const { from, on, to } of onboardingTransitions)
      expect(document).toMatch(
        new RegExp(`^  ${from} --> ${to}: .*\\b${on}\\b|^\\| ${on} \\| .* \\| (?:${to}|the same step) \\|$`, 'm'),
      );
  });
});
