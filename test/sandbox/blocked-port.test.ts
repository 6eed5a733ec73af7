import { describe, expect, it } from 'vitest';
import { BlockedPortError, requireCallablePort } from '#sandbox/blocked-port.ts';
import { listen } from '#sandbox/server.ts';

describe('a port for a sandbox', () => {
  it.each([1, 22, 2049, 5060, 6000, 6667, 10_080])('is refused when fetch does not call it: %i', async (port) => {
    await expect(requireCallablePort(port)).rejects.toThrow(BlockedPortError);
    await expect(requireCallablePort(port)).rejects.toThrow(`Port ${port} is blocked`);
  });

  it('is accepted when nothing listens there', async () => {
    const { origin, close } = await listen(() => undefined);
    await close();
    await expect(requireCallablePort(Number(new URL(origin).port))).resolves.toBeUndefined();
  });

  it('is accepted when a server listens there that does not answer', async () => {
    const { origin, close } = await listen(() => undefined);
    await expect(requireCallablePort(Number(new URL(origin).port))).resolves.toBeUndefined();
    await close();
  });
});
