import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onboardingSteps, onboardingTransitions } from '#shared/onboarding-steps.ts';
import { writeOnboardingDocument } from './write-onboarding.ts';

describe('issue 6: the diagram in docs/onboarding.md is generated from the table that decides', () => {
  const document = writeOnboardingDocument();

  it('docs/onboarding.md is what is generated', async () => {
    await expect(document).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/onboarding.md'));
  });

  it('has every step and every transition', () => {
    for (const { step, meaning } of onboardingSteps) expect(document).toContain(`| ${step} | ${meaning} |`);
    for (const { from, on, to } of onboardingTransitions) expect(document).toContain(`| ${from} | ${on} | ${to} |`);
  });
});
