import { describe, expect, it } from 'vitest';
import { type LaneProgress, walkLanes } from '#shared/aws/list/lanes.ts';

/** Two lanes of three pages each, and the pages that were read. */
function twoLanes() {
  const read: string[] = [];
  const readPage = async (lane: number, after: number | undefined) => {
    const page = (after ?? 0) + 1;
    read.push(`${lane}:${page}`);
    return { page, next: page === 3 ? undefined : page };
  };
  return { lanes: 2, readPage, read };
}

const begin: readonly LaneProgress<number>[] = ['begin', 'begin'];
const always = () => true;

describe('walkLanes', () => {
  it('walks each lane to its end', async () => {
    const lanes = twoLanes();
    expect(await walkLanes(lanes, begin, { mayContinue: always, onPage: () => undefined })).toEqual(['end', 'end']);
    expect(lanes.read.toSorted()).toEqual(['0:1', '0:2', '0:3', '1:1', '1:2', '1:3']);
  });

  it('continues where an earlier walk stopped, and leaves out finished lanes', async () => {
    const lanes = twoLanes();
    expect(await walkLanes(lanes, ['end', 2], { mayContinue: always, onPage: () => undefined })).toEqual([
      'end',
      'end',
    ]);
    expect(lanes.read).toEqual(['1:3']);
  });

  it('counts the pages under way as walked when its time is over', async () => {
    let pages = 0;
    const onPage = () => {
      pages += 1;
    };
    expect(await walkLanes(twoLanes(), begin, { mayContinue: () => pages === 0, onPage })).toEqual([1, 1]);
  });
});
