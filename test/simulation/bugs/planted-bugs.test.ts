import { describe, expect, it } from 'vitest';
import { regressions } from '#test/simulation/regressions.ts';
import { readKnownSeeds } from './known-seeds.ts';
import { checkPlantable, mutate, type PlantedBug, UnplantableBugError } from './planted-bug.ts';
import { plantedBugs } from './planted-bugs.ts';
import { situationBugs } from './situation-bugs.ts';

const all = [...new Set([...plantedBugs, ...situationBugs, ...regressions.map(({ bug }) => bug)])];

describe('a planted bug', () => {
  it.each(all)('has a text that occurs once in its file: $name', (bug) => {
    expect(() => checkPlantable(bug)).not.toThrow();
  });

  it('has a unique name among all planted bugs', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it('has a known seed when random histories catch it: npm run simulate -- --bugs --save', () => {
    expect(Object.keys(readKnownSeeds()).toSorted()).toEqual(plantedBugs.map(({ name }) => name).toSorted());
  });

  it('is refused with what to do when its text occurs never or twice', () => {
    const bug: PlantedBug = { name: 'b', file: 'f', find: 'await', replace: '$& void', breaks: [1] };
    expect(mutate(bug, 'await a(); b();')).toBe('$& void a(); b();');
    expect(() => mutate(bug, 'a();')).toThrow(UnplantableBugError);
    expect(() => mutate(bug, 'await a(); await b();')).toThrow('find the code that does the same now');
  });
});
