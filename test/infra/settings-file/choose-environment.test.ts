import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { chooseEnvironment } from '#infra/settings-file/settings-file.ts';

/** A folder with a file for each of these environments, and those of the repository. */
function folderWith(...environments: readonly string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-settings-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const name of ['laptop', 'example', 'settings.schema', ...environments])
    writeFileSync(join(directory, `${name}.json`), '{}');
  return directory;
}

it('chooseEnvironment returns the named environment', () => {
  expect(chooseEnvironment(folderWith('production', 'staging'), 'staging')).toBe('staging');
});

it('chooseEnvironment returns the only environment of the partner, or the laptop while there is none', () => {
  expect(chooseEnvironment(folderWith('production'), undefined)).toBe('production');
  expect(chooseEnvironment(folderWith(), undefined)).toBe('laptop');
});

it('chooseEnvironment lists the environments when there are several', () => {
  expect(() => chooseEnvironment(folderWith('production', 'staging'), undefined)).toThrow(
    'Name the environment: --environment NAME. The folder settings has: laptop, production, staging.',
  );
});
