import { expect, it } from 'vitest';
import { once } from '#cli/command/once.ts';

it('asks again after a failure, and keeps the first answer', async () => {
  const answers = [
    Promise.reject(new Error('throttled')),
    Promise.resolve('stacks'),
    Promise.resolve('never asked for'),
  ];
  const ask = once(async () => answers.shift());
  await expect(Promise.all([ask(), ask()])).rejects.toThrow('throttled');
  await expect(ask()).resolves.toBe('stacks');
  await expect(ask()).resolves.toBe('stacks');
});
