import { Hono } from 'hono';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPlatformApp } from '#sandbox/platform/app/app.ts';
import { refusal, startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

let platform: TestPlatform;
beforeEach(() => {
  platform = startPlatform();
});

describe('sandbox platform: bearer tokens (section 5, rule 4)', () => {
  it('checks the token first, so that a caller without one cannot discover operations', async () => {
    expect((await platform.request('GET', '/elsewhere')).status).toBe(401);
    expect((await platform.send('GET', '/elsewhere')).status).toBe(404);
  });

  it('requires no token for the control API, which answers unknown paths with 404', async () => {
    expect((await platform.request('GET', '/control/clock')).status).toBe(200);
    for (const path of ['/control', '/control/', '/control/elsewhere'])
      expect(await platform.request('GET', path)).toEqual(refusal(404, 'NOT_FOUND', 'There is no such operation.'));
  });

  it('requires no token for further routes below /control, such as the schedules of the host', async () => {
    const further = new Hono().get('/schedules', (context) => context.json(['drain']));
    const app = createPlatformApp(platform, { furtherControl: further });
    expect(await (await app.request('/control/schedules')).json()).toEqual(['drain']);
    expect((await app.request('/control/clock')).status).toBe(200);
    expect((await app.request('/control/elsewhere')).status).toBe(404);
  });
});
