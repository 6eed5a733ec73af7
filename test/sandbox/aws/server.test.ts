import { expect, it } from 'vitest';
import { listen } from '#sandbox/aws/server.ts';
import { HostingError } from '#sandbox/aws/stacks/hosting-error.ts';

it('a port that is taken is refused with what to do', async () => {
  const first = await listen(() => undefined);
  try {
    const port = Number(new URL(first.origin).port);
    const second = listen(() => undefined, port);
    await expect(second).rejects.toThrow(HostingError);
    await expect(second).rejects.toThrow(`Port ${port} is taken: choose another`);
  } finally {
    await first.close();
  }
});
