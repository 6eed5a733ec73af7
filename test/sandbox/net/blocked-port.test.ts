import { describe, expect, it } from 'vitest';
import { requireCallablePort } from '#sandbox/net/blocked-port.ts';
import { listen } from '#sandbox/net/server.ts';

describe('sandbox: requireCallablePort', () => {
  it.each([1, 22, 2049, 5060, 6000, 6667, 10_080])('rejects port %i, which fetch refuses to call', async (port) => {
    await expect(requireCallablePort(port)).rejects.toThrow(expect.objectContaining({ code: 'BLOCKED_PORT' }));
    await expect(requireCallablePort(port)).rejects.toThrow(`Port ${port} is blocked`);
  });

  it('accepts a port without a server', async () => {
    const { origin, close } = await listen(() => undefined);
    await close();
    await expect(requireCallablePort(Number(new URL(origin).port))).resolves.toBeUndefined();
  });

  it('accepts a port whose server does not answer', async () => {
    const { origin, close } = await listen(() => undefined);
    await expect(requireCallablePort(Number(new URL(origin).port))).resolves.toBeUndefined();
    await close();
  });
});
