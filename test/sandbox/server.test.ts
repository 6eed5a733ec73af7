import { expect, it } from 'vitest';
import { listen, PortTakenError } from '#sandbox/server.ts';

it('a port that is taken is refused with what to do', async () => {
  const first = await listen(() => undefined);
  try {
    const port = Number(new URL(first.origin).port);
    const second = listen(() => undefined, port);
    await expect(second).rejects.toThrow(PortTakenError);
    await expect(second).rejects.toThrow(`Port ${port} is taken: choose another`);
  } finally {
    await first.close();
  }
});
