import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { root } from './markdown-pages.ts';

it('docs/how-to/onboard.md shows a request that is accepted', () => {
  const page = readFileSync(join(root, 'docs/how-to/onboard.md'), 'utf8');
  const request: unknown = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? '');
  expect(checkRequest(request, new Date('2026-11-21T08:00:00Z'), platformProfile.parse({}))).toEqual({ request });
});
