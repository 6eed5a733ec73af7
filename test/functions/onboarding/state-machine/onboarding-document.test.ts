import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeOnboardingDocument } from './write-onboarding.ts';

describe('the page docs/reference/onboarding-steps.md', () => {
  const document = writeOnboardingDocument();

  it('is what is generated: run npx vitest run test/functions/onboarding/state-machine -u', async () => {
    await expect(document).toMatchFileSnapshot(
      join(import.meta.dirname, '../../../../docs/reference/onboarding-steps.md'),
    );
  });
});
