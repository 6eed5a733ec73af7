import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { sandboxProfile } from '#sandbox/platform/app/platform.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

it('states in settings/laptop.json what the sandbox platform checks', () => {
  const settings = JSON.parse(readFileSync(join(repositoryRoot, 'settings/laptop.json'), 'utf8'));
  expect(platformProfile.parse(settings.platformProfile)).toEqual(sandboxProfile);
});
