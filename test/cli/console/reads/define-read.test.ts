import { expect, it } from 'vitest';
import { shareRead } from '#cli/console/reads/define-read.ts';

/** A read that numbers its answers, and a clock on which the test decides. */
function createRead() {
  let reads = 0;
  let time = 0;
  let isBroken = false;
  const read = shareRead(
    async () => {
      reads += 1;
      if (isBroken) throw new Error('CloudWatch does not answer.');
      return reads;
    },
    1_000,
    () => new Date(time),
  );
  return {
    read,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    setBroken: (broken: boolean) => {
      isBroken = broken;
    },
  };
}

it('gives one answer to all that ask during the read and for a second after it', async () => {
  const { read, pass } = createRead();
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  pass(999);
  expect(await read()).toBe(1);
  pass(1);
  expect(await read()).toBe(2);
});

it('reads again after an error', async () => {
  const { read, setBroken } = createRead();
  setBroken(true);
  await expect(read()).rejects.toThrow('CloudWatch does not answer.');
  setBroken(false);
  expect(await read()).toBe(2);
});
