import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen, readBody } from '#sandbox/net/server.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { createPlatformClient } from '#shared/platform/client/client.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { registerWebhook } from '#shared/platform/resources/webhooks.ts';
import { fetchToken } from '#shared/platform/token/token.ts';
import { freePort } from '#test/free-port.ts';
import { type Spawned, spawnProcess } from './spawn-process.ts';

const profile = platformProfile.parse({});

let runs: Spawned[];
beforeEach(() => {
  runs = [];
});
afterEach(async () => {
  for (const run of runs) kill(run, 'SIGKILL');
  await Promise.all(runs.map(({ exit }) => exit));
});

function start(command: string, ...options: readonly string[]): Spawned {
  const run = spawnProcess(command, options, { detached: true });
  runs.push(run);
  return run;
}

/** Signals the process and all processes that it has started, as Ctrl-C does. */
function kill({ process: { pid = 0, exitCode, signalCode } }: Spawned, signal: NodeJS.Signals): void {
  if (exitCode === null && signalCode === null) process.kill(-pid, signal);
}

const startPlatform = (...options: readonly string[]) => start(process.execPath, 'cli/main.ts', 'platform', ...options);

const isUp = (run: Spawned) => expect.poll(run.printed).toContain('press Ctrl-C.');

async function getToken(origin: string, credentials = { clientId: 'sandbox', clientSecret: 'sandbox-secret' }) {
  const timeout = (milliseconds: number) => AbortSignal.timeout(milliseconds);
  return fetchToken({ authUrl: origin, ...credentials, profile, fetch, now: () => new Date(), timeout });
}

/** The client of `shared/platform`, with a token of the default credentials. */
async function connect(origin: string) {
  const token = await getToken(origin);
  return createPlatformClient({
    baseUrl: origin,
    profile,
    tokens: { read: async () => token.accessToken, reportRejected: async () => expect.unreachable() },
    fetch: createPlatformFetch(),
    now: () => new Date(),
    random: () => 0.5,
    wait: async () => undefined,
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  });
}

async function control(origin: string, method: string, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${origin}/control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

describe('npm run platform', () => {
  it('serves a platform at http://localhost to a client of the specification until Ctrl-C', async () => {
    const port = await freePort();
    const run = startPlatform('--port', String(port), '--frozen-at', '2026-11-21T08:00:00Z');
    await isUp(run);
    const origin = `http://localhost:${port}`;
    expect(run.printed()).toContain(`{base_url}  ${origin}\n`);
    expect(run.printed()).toContain('frozen at 2026-11-21T08:00:00.000Z');

    const client = await connect(origin);
    const received: string[] = [];
    const partner = await listen(async (request, response) => {
      received.push(`${request.headers['x-secret']} ${await readBody(request)}`);
      response.end();
    });
    const eventType = 'TRANSFER_NOTIFICATION';
    const url = partner.origin.replace('127.0.0.1', 'localhost');
    await registerWebhook(client, { eventType, url, headers: [{ name: 'X-Secret', value: 'abc' }] });
    const notification = { eventType, body: '{"transferId":"1"}' };
    const delivered = { outcome: 'delivered', status: 200 };
    expect(await control(origin, 'POST', '/notifications', notification)).toEqual(delivered);
    expect(received).toEqual(['abc {"transferId":"1"}']);
    await partner.close();

    kill(run, 'SIGINT');
    expect(await run.exit, run.printed()).toEqual({ code: 130, signal: null });
  });

  it('accepts only the credentials of its options, and has the event types of its options', async () => {
    const port = await freePort();
    const credentials = { clientId: 'drawbridge', clientSecret: 'another secret' };
    const run = startPlatform(
      ...['--port', String(port), '--client-id', credentials.clientId, '--client-secret', credentials.clientSecret],
      ...['--new-event-type', 'WEATHER_NOTIFICATION', '--new-event-type', 'TIDE_NOTIFICATION', '--seed', '7'],
    );
    await isUp(run);
    const origin = `http://127.0.0.1:${port}`;
    await expect(getToken(origin)).rejects.toThrow();
    const { accessToken } = await getToken(origin, credentials);
    const headers = { authorization: `Bearer ${accessToken}` };
    const missing = await (await fetch(`${origin}/webhooks-missing`, { headers })).json();
    expect(missing).toEqual(
      expect.arrayContaining([{ eventType: 'WEATHER_NOTIFICATION' }, { eventType: 'TIDE_NOTIFICATION' }]),
    );
    expect(await control(origin, 'GET', '/clock')).toMatchObject({ isFrozen: false });
  });

  it('does as a settings file says of its platform, and names a file that is none', async () => {
    const port = await freePort();
    const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
    const settings = {
      platform: { baseUrl: 'https://api.bank.example', authUrl: 'https://auth.bank.example' },
      onboarding: { externalVerifier: 'ACME_VIDEO' },
      platformProfile: { token: { path: '/connect/token' } },
    };
    writeFileSync(join(directory, 'test.json'), JSON.stringify(settings));
    const run = startPlatform('--port', String(port), '--settings', join(directory, 'test.json'));
    await isUp(run);
    expect(run.printed()).toContain('token at /connect/token');
    const origin = `http://127.0.0.1:${port}`;
    expect(await control(origin, 'GET', '/settings')).toMatchObject({ externalVerifier: 'ACME_VIDEO' });
    const none = startPlatform('--settings', join(directory, 'other.json'));
    expect(await none.exit).toEqual({ code: 2, signal: null });
    expect(none.printed()).toContain('settings/other.json does not exist.');
    rmSync(directory, { recursive: true });
  });

  it('starts as an npm script, ends on Ctrl-C, and has 4010 as the default port', async () => {
    const port = await freePort();
    const run = start('npm', 'run', 'platform', '--', '--port', String(port));
    await isUp(run);
    expect((await fetch(`http://localhost:${port}/openapi.json`)).status).toBe(200);
    kill(run, 'SIGINT');
    // npm ends as its shell does: by the signal itself.
    expect([
      { code: null, signal: 'SIGINT' },
      { code: 130, signal: null },
    ]).toContainEqual(await run.exit);
    await expect.poll(() => fetch(`http://localhost:${port}/openapi.json`).catch(() => 'gone')).toBe('gone');
    const help = startPlatform('--help');
    expect(await help.exit).toEqual({ code: 0, signal: null });
    expect(help.printed()).toMatch(/--port <number> +the port of the platform \(default: 4010\)/);
  });
});
