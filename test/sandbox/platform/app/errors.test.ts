import { describe, expect, it } from 'vitest';
import { createPlatformApp } from '#sandbox/platform/app/app.ts';
import { refusal, startPlatform } from '#test/sandbox/platform/platform-fixture.ts';

describe('sandbox platform: the maximum size of a body', () => {
  it('answers an oversized body with 413, with and without Content-Length', async () => {
    const platform = startPlatform();
    const large = new Uint8Array(10 * 1024 * 1024 + 1).fill(0x20);
    for (const path of ['/webhooks', '/oauth2/token', '/control/notifications'])
      expect(await platform.send('POST', path, large)).toEqual(
        refusal(413, 'PAYLOAD_TOO_LARGE', 'The body must have 10485760 bytes at most.'),
      );
    const { accessToken } = platform.tokens.issue();
    const stream = new Blob([large]).stream();
    const answer = await platform.app.request('/webhooks', {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(413);
  });

  it('is not that of a snapshot, which is as large as what was saved', async () => {
    const padding = 'x'.repeat(10 * 1024 * 1024);
    expect(await startPlatform().request('PUT', '/control/snapshot', { body: { padding } })).toMatchObject({
      status: 400,
    });
  });
});

describe('sandbox platform: a failure of the sandbox itself', () => {
  it('answers with 500 without the cause, and reports the cause to the log', async () => {
    const { errors, ...platform } = startPlatform();
    const failure = new Error('secret details at /home/user/sandbox.ts:7');
    const registrations = {
      ...platform.registrations,
      list: () => {
        throw failure;
      },
    };
    const app = createPlatformApp({ ...platform, registrations });
    const { accessToken } = platform.tokens.issue();
    const answer = await app.request('/webhooks', { headers: { authorization: `Bearer ${accessToken}` } });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      message: 'The sandbox failed. Read its log.',
      responseType: 'INTERNAL_SERVER_ERROR',
      requestId: expect.any(String),
    });
    expect(errors).toEqual([failure]);
  });
});
