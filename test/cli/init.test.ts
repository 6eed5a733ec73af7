import { expect, it } from 'vitest';
import { programForTests } from './program-for-tests.ts';

it('drawbridge init says on Windows that Drawbridge needs WSL, before it writes anything', async () => {
  const program = programForTests({ platform: 'win32' });
  await expect(program.parseAsync(['init', 'my-bank'], { from: 'user' })).rejects.toThrow('Windows needs WSL');
});
