import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hoverAt } from './hover.ts';
import { compileInConsumer, packedPackage, preparePackage } from './packed-package.ts';
import { given, typeMistakes, typeUses } from './type-mistakes.ts';

beforeAll(preparePackage);

/** Writes a file below the imports that all lines share, and returns the number of the first line. */
function writeBelowGiven(file: string, lines: readonly string[]): number {
  writeFileSync(join(packedPackage().consumer, file), [given, ...lines, ''].join('\n'));
  return given.split('\n').length + 1;
}

describe('the types of the package, installed from the tarball', () => {
  it('refuse each mistake on its line', () => {
    const first = writeBelowGiven(
      'mistakes.mts',
      typeMistakes.map(([wrong]) => wrong),
    );
    const found = compileInConsumer(['mistakes.mts']).matchAll(/^mistakes\.mts\((\d+),/gm);
    const lines = new Set([...found].map(([, line]) => Number(line) - first));
    expect(typeMistakes.filter((_, index) => !lines.has(index)).map(([wrong]) => wrong)).toEqual([]);
    expect(lines.size).toBe(typeMistakes.length);
  });

  it('take what was meant by each mistake, and words that this release does not know', () => {
    writeBelowGiven('meant.mts', [...typeMistakes.map(([, right]) => right), ...typeUses]);
    expect(compileInConsumer(['meant.mts'])).toBe('');
  });

  it('show the documentation of a field in the editor: meaning, format, section and example', async () => {
    const lines = ['detail.modifiedOn;', 'person.birthDay;', 'known.annualIncomeNet;', 'order.time;'];
    const first = writeBelowGiven('hover.mts', lines);
    const [modifiedOn, birthDay, annualIncomeNet, time] = await hoverAt(
      join(packedPackage().consumer, 'hover.mts'),
      lines.map((line, index) => ({ line: first - 1 + index, character: line.length - 2 })),
    );
    expect(modifiedOn).toContain("The platform's time of the status");
    expect(birthDay).toMatch(/The day of birth\.\s+Format: an ISO 8601 calendar date\.\s+Section 2\.4/);
    expect(birthDay).toContain('1990-05-17');
    expect(annualIncomeNet).toContain('Unit: ');
    expect(time).toContain('When the event was published');
  });
});
