import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { provideDrawbridge, writeRepository } from '#cli/init/write-repository.ts';
import { version } from '#shared/version.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-init-'));
  vi.stubEnv('npm_config_@drawbridge-partner:registry', 'https://registry.example/');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

/** An installed package, as npm notes where it is from. */
function install(resolved?: string): string {
  const name = 'node_modules/@drawbridge-partner/drawbridge';
  const folder = join(directory, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "@drawbridge-partner/drawbridge", "version": "0.0.0" }');
  const note = JSON.stringify({ packages: { [name]: resolved === undefined ? {} : { resolved } } });
  writeFileSync(join(directory, 'node_modules/.package-lock.json'), note);
  return folder;
}

const tarball = '@drawbridge-partner/drawbridge/-/drawbridge-0.0.0.tgz';

describe('cli: init', () => {
  it.each([`https://registry.example/${tarball}`, undefined])(
    'takes a package that npm installed from the registry from there, noted as %s',
    (resolved) => {
      expect(provideDrawbridge(install(resolved), join(directory, 'bank'))).toEqual({
        dependency: version,
        registry: 'https://registry.example/',
      });
    },
  );

  it.each(['file:drawbridge.tgz', `https://elsewhere.example/${tarball}`])(
    'packs a package that npm installed from %s into the repository',
    (resolved) => {
      const { dependency, registry } = provideDrawbridge(install(resolved), join(directory, 'bank'));
      expect(registry).toBeUndefined();
      expect(existsSync(join(directory, 'bank', dependency.replace('file:', '')))).toBe(true);
    },
  );

  it('pins the scope of the package to the registry that has it', () => {
    const template = join(directory, 'template');
    mkdirSync(template);
    writeFileSync(join(template, 'gitignore'), '');
    writeFileSync(join(template, 'package.json'), `{ "@drawbridge-partner/drawbridge": "${version}" }`);
    const bank = join(directory, 'bank');
    const drawbridge = { dependency: '1.2.3', registry: 'https://registry.example/' };
    writeRepository(template, bank, { name: 'bank', drawbridge });
    expect(readFileSync(join(bank, '.npmrc'), 'utf8')).toBe('@drawbridge-partner:registry=https://registry.example/\n');
    expect(readFileSync(join(bank, 'package.json'), 'utf8')).toBe('{ "@drawbridge-partner/drawbridge": "1.2.3" }');
  });
});
