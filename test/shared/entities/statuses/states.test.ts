import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeStates } from './write-states.ts';

describe('the page docs/reference/states.md', () => {
  it('is what is generated: run npx vitest run test/shared/entities/statuses -u', async () => {
    await expect(writeStates()).toMatchFileSnapshot(join(import.meta.dirname, '../../../../docs/reference/states.md'));
  });
});
