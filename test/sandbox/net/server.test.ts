import { describe, expect, it } from 'vitest';
import { listen, requireCallablePort } from '#sandbox/net/server.ts';

it('rejects a port that is in use, and says what to do', async () => {
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
