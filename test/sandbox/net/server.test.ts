import { expect, it } from 'vitest';
import { listen } from '#sandbox/net/server.ts';

it('sandbox: listenOn rejects a port that is in use and says what to do', async () => {
  const first = await listen(() => undefined);
  try {
    const port = Number(new URL(first.origin).port);
    const second = listen(() => undefined, port);
    await expect(second).rejects.toThrow(expect.objectContaining({ code: 'PORT_TAKEN' }));
    await expect(second).rejects.toThrow(`Port ${port} is in use. Choose another port`);
  } finally {
    await first.close();
  }
});
