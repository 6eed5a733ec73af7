import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampledBugs } from './bug-sample.ts';
import { checkPlantable, mutate, type PlantedBug, UnplantableBugError } from './planted-bug.ts';
import { plantedBugs } from './planted-bugs.ts';
import { rareBugs } from './rare-bugs.ts';
import { situationBugs } from './situation-bugs.ts';

const all = [...plantedBugs, ...rareBugs, ...situationBugs];

describe('a planted bug', () => {
  it.each(all)('has a text that occurs once in its file: $name', (bug) => {
    expect(() => checkPlantable(bug)).not.toThrow();
  });

  it.each(rareBugs)('names a test file that catches it when histories do not: $name', ({ heldBy }) => {
    expect(heldBy).toMatch(/\.test\.ts$/);
    expect(existsSync(heldBy)).toBe(true);
  });

  it('has a unique name among all planted bugs', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it.each(sampledBugs)('has the name in the sample of npm test: %s', (name) => {
    expect(plantedBugs.map((bug) => bug.name)).toContain(name);
  });

  it('is refused when its text occurs never or twice', () => {
    const bug: PlantedBug = { name: 'b', file: 'f', find: 'await', replace: '$& void', breaks: [1] };
    expect(mutate(bug, 'await a(); b();')).toBe('$& void a(); b();');
    expect(() => mutate(bug, 'a();')).toThrow(UnplantableBugError);
    expect(() => mutate(bug, 'await a(); await b();')).toThrow(UnplantableBugError);
  });
});
