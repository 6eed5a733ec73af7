import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampledBugs } from './bug-sample.ts';
import { checkPlantable, mutate, type PlantedBug, UnplantableBugError } from './planted-bug.ts';
import { plantedBugs } from './planted-bugs.ts';
import { rareBugs } from './rare-bugs.ts';
import { situationBugs } from './situation-bugs.ts';

const all = [...plantedBugs, ...rareBugs, ...situationBugs];

describe('each planted bug', () => {
  it.each(all)('can be planted: $name', (bug) => {
    expect(() => checkPlantable(bug)).not.toThrow();
  });

  it.each(rareBugs)('names the test file that catches it where histories do not: $name', ({ heldBy }) => {
    expect(heldBy).toMatch(/\.test\.ts$/);
    expect(existsSync(heldBy)).toBe(true);
  });

  it('has a name of its own', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it.each(sampledBugs)('is known under the name by which npm test samples it: %s', (name) => {
    expect(plantedBugs.map((bug) => bug.name)).toContain(name);
  });

  it('is planted once, and nowhere else', () => {
    const bug: PlantedBug = { name: 'b', file: 'f', find: 'await', replace: '$& void', breaks: [1] };
    expect(mutate(bug, 'await a(); b();')).toBe('$& void a(); b();');
    expect(() => mutate(bug, 'a();')).toThrow(UnplantableBugError);
    expect(() => mutate(bug, 'await a(); await b();')).toThrow(UnplantableBugError);
  });
});
