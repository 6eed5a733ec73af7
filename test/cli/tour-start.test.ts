import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CommandError } from '#cli/command/command-error.ts';
import { programForTests } from './program-for-tests.ts';

it('drawbridge tour says what to do in a folder without a CDK app', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-tour-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tour = programForTests().parseAsync(['tour', '--app', folder, '--directory', join(folder, 'sandbox')], {
    from: 'user',
  });
  const error = await tour.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(CommandError);
  expect(String(error)).toMatch(/no cdk\.json.*\nNext: npx drawbridge init/);
});

it('drawbridge tour refuses a deployment', async () => {
  const tour = programForTests().parseAsync(['tour', '--env', 'production'], { from: 'user' });
  const error = await tour.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(CommandError);
  expect(String(error)).toContain('without --env');
});
