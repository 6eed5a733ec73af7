import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileInConsumer, packedPackage, preparePackage } from './packed-package.ts';
import { given, typeMistakes, typeUses } from './type-mistakes.ts';

beforeAll(preparePackage);

/** Writes a file below the imports that all lines share, and returns the number of the first line. */
function writeBelowGiven(file: string, lines: readonly string[]): number {
  writeFileSync(join(packedPackage().consumer, file), [given, ...lines, ''].join('\n'));
  return given.split('\n').length + 1;
}

describe('a compilation with the types of the package, installed from the tarball', () => {
  it('refuses each mistake on its line', () => {
    const first = writeBelowGiven(
      'mistakes.mts',
      typeMistakes.map(([wrong]) => wrong),
    );
    const found = compileInConsumer(['mistakes.mts']).matchAll(/^mistakes\.mts\((\d+),/gm);
    const lines = new Set([...found].map(([, line]) => Number(line) - first));
    expect(typeMistakes.filter((_, index) => !lines.has(index)).map(([wrong]) => wrong)).toEqual([]);
    expect(lines.size).toBe(typeMistakes.length);
  });

  it('accepts what was meant by each mistake, and words that this release does not know', () => {
    writeBelowGiven('meant.mts', [...typeMistakes.map(([, right]) => right), ...typeUses]);
    expect(compileInConsumer(['meant.mts'])).toBe('');
  });
});
