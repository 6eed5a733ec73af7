import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PlatformServer, startPlatformServer } from '#sandbox/platform/app/serve.ts';

let errors: unknown[];
let server: PlatformServer;
let headers: Record<string, string>;
beforeEach(async () => {
  errors = [];
  server = await startPlatformServer({ fetch, now: () => new Date(), onError: (error) => errors.push(error) });
  const { accessToken } = server.platform.tokens.issue();
  headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
});
afterEach(async () => {
  await server.close();
  expect(errors).toEqual([]);
});

const place = (fault: object) =>
  fetch(`${server.origin}/control/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
const register = () =>
  fetch(`${server.origin}/webhooks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ eventType: 'TRANSFER_NOTIFICATION', url: 'https://partner.example/hook' }),
  });

describe('sandbox platform: the fault NO_ANSWER over HTTP', () => {
  it.each([
    { commits: false, registered: 0 },
    { commits: true, registered: 1 },
  ])('breaks the connection with commits: $commits', async ({ commits, registered }) => {
    await place({ effect: 'NO_ANSWER', operation: 'registerWebhook', times: 2, commits });
    for (let time = 0; time < 2; time += 1)
      await expect(register()).rejects.toMatchObject({ name: 'TypeError', cause: { code: 'UND_ERR_SOCKET' } });
    expect(server.platform.registrations.list()).toHaveLength(registered);
    expect((await register()).status).toBe(200);
  });
});
