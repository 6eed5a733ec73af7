import { rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { checkPlatform } from '#cli/doctor/platform/check-platform.ts';
import type { PlatformAccess } from '#cli/doctor/platform/platform-access.ts';
import { allowReadsOnly, createPlatformReads, maxReads } from '#cli/doctor/platform/platform-reads.ts';
import { listen } from '#sandbox/net/server.ts';
import { startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import { eventTypes } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createAppForTests, runForTests } from '#test/cli/program-for-tests.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const clientSecret = 'the-client-secret';
const token = 'the-access-token';
const canary = 'Zwiebelmann';
const representative = '0190a6f0-5678-7abc-8def-0123456789ab';

function accessTo(origin: string, ownProfile: Readonly<Record<string, unknown>> = {}): PlatformAccess {
  return {
    baseUrl: origin,
    authUrl: origin,
    credentials: { clientId: 'client', clientSecret },
    requestor: representative,
    profile: platformProfile.parse(ownProfile),
    ownProfile,
  };
}

const deps = {
  fetch: createPlatformFetch(),
  wait: async () => undefined,
  timeout: (milliseconds: number) => AbortSignal.timeout(milliseconds),
  now: () => new Date(),
};

type Reply = readonly [status: number, body: unknown];

/** A platform whose answers differ from the defaults in what a profile can say. */
function answerAsAnother({ method, headers }: IncomingMessage, { pathname, searchParams }: URL): Reply {
  const persons = Array.from({ length: 12 }, (_, index) => ({
    naturalPersonId: `0190a6f0-0000-7000-8000-${String(index).padStart(12, '0')}`,
    lastName: canary,
    // A page that is not filtered begins with persons of one status.
    naturalPersonStatus: index < 10 ? 'ACTIVE' : 'FROZEN',
    createdOn: 1_767_323_045 + index,
  }));
  const inPages = (members: readonly unknown[]): Reply => {
    const [limit, from] = [Number(searchParams.get('limit')), Number(searchParams.get('cursor') ?? 0)];
    const end = from + Math.min(limit, 10);
    return [
      200,
      { data: members.slice(from, end), pagination: { cursor: end < members.length ? String(end) : null, limit } },
    ];
  };
  if (method === 'POST' && pathname === '/connect/token') return [200, { access_token: token, expires_in: '3600' }];
  if (method !== 'GET' || headers.authorization !== `Bearer ${token}`) return [404, {}];
  if (pathname === '/entities/natural-persons') {
    const status = searchParams.get('status');
    return inPages(persons.filter((one) => status === null || one.naturalPersonStatus === status));
  }
  if (headers['requestor-id'] !== representative) return [403, { message: 'Requestor-ID invalid' }];
  if (pathname === '/entities/identification-verifications') return inPages([{ status: 'APPROVED' }]);
  if (pathname === '/webhooks') return [200, []];
  if (pathname === '/webhooks-missing')
    return [200, [...eventTypes, 'LOAN_NOTIFICATION'].map((eventType) => ({ eventType }))];
  if (pathname === '/undelivered-webhooks') {
    const isTooSmall = Number(searchParams.get('limit')) < 5;
    return isTooSmall ? [400, {}] : inPages([{ id: 'one', body: canary, createdOn: 1_767_323_045 }]);
  }
  return [404, { message: canary }];
}

async function startAnother() {
  const asked: string[] = [];
  const { origin, close } = await listen(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    asked.push(`${request.method} ${url.pathname}`);
    await text(request);
    const [status, body] = answerAsAnother(request, url);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  closers.push(close);
  return { origin, asked };
}

const readBy = {
  eventTypes: [...eventTypes, 'LOAN_NOTIFICATION'],
  naturalPersonStatusParameter: 'status',
  pageSize: 10,
  requestors: { naturalPerson: representative, undeliveredWebhooks: representative, webhooks: representative },
  times: { unit: 'seconds' },
  token: { path: '/connect/token' },
  webhookPaths: { undelivered: '/undelivered-webhooks' },
};

describe('cli doctor --platform: checkPlatform', () => {
  it('finds that the defaults read the sandbox platform, and writes nothing to it', async () => {
    const asked: string[] = [];
    const server = await startPlatformServer({
      fetch,
      now: () => new Date(),
      onCall: ({ method, url }) => void asked.push(`${method} ${new URL(url).pathname}`),
      onError: (error) => expect.fail(String(error)),
      credentials: { clientId: 'client', clientSecret },
    });
    closers.push(server.close);
    for (const externalId of ['one', 'two', 'three']) server.platform.persons.create({ ...samplePerson, externalId });
    const { findings, platformProfile: profile } = await checkPlatform(
      { ...accessTo(server.origin), requestor: 'self' },
      deps,
    );
    expect(findings.filter(({ result }) => result !== 'good').map(({ check }) => check)).toEqual([
      'statuses of verifications',
      'filter by status',
    ]);
    expect(profile).toEqual({});
    expect(asked.filter((one) => !one.startsWith('GET '))).toEqual(['POST /oauth2/token']);
    expect(asked.length).toBeLessThan(maxReads);
  });

  it('finds the profile that reads the answers of another platform, and shows no data of them', async () => {
    const { origin, asked } = await startAnother();
    const report = await checkPlatform(accessTo(origin), deps);
    expect(report.platformProfile).toEqual(readBy);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ check: 'statuses of persons', detail: expect.stringContaining('not known: FROZEN') }),
    );
    expect(asked.filter((one) => !one.startsWith('GET '))).toEqual(['POST /oauth2/token', 'POST /connect/token']);
    for (const data of [canary, token, clientSecret]) expect(JSON.stringify(report)).not.toContain(data);
    const again = await checkPlatform(accessTo(origin, readBy), deps);
    expect(again.platformProfile).toEqual(readBy);
    expect(again.findings.filter(({ result }) => result !== 'good').map(({ check }) => check)).toEqual([
      'statuses of persons',
    ]);
  });

  it('ends after a token service that gives no token', async () => {
    const { origin, asked } = await startAnother();
    const report = await checkPlatform(accessTo(`${origin}/nothing`), deps);
    expect(report.findings.map(({ check, result }) => [check, result])).toEqual([
      ['token', 'problem'],
      ['other probes', 'unknown'],
    ]);
    expect(asked).toHaveLength(2);
  });
});

describe('cli doctor --platform: allowReadsOnly', () => {
  const access = { ...accessTo('https://api.example.org'), authUrl: 'https://auth.example.org' };
  const request = { headers: {}, redirect: 'manual', signal: new AbortController().signal } as const;
  const sent: string[] = [];
  const fetch: PlatformFetch = async (url) => {
    sent.push(url);
    return { status: 429, headers: new Headers(), bytes: async () => new Uint8Array() };
  };

  it.each([
    ['POST', 'https://api.example.org/webhooks'],
    ['PATCH', 'https://api.example.org/entities/natural-persons/1'],
    ['DELETE', 'https://api.example.org/webhooks/USER_NOTIFICATION'],
    ['PUT', 'https://api.example.org/webhooks'],
    ['POST', 'https://auth.example.org/other'],
    ['GET', 'https://other.example.org/webhooks'],
  ])('refuses %s %s before anything is sent', (method, url) => {
    expect(() => allowReadsOnly(fetch, access)(url, { ...request, method })).toThrow('A probe only reads.');
    expect(sent).toEqual([]);
  });

  it('refuses a read beyond the budget', async () => {
    const send = allowReadsOnly(fetch, access);
    const read = () => send('https://api.example.org/webhooks', { ...request, method: 'GET' });
    for (let count = 0; count < maxReads; count += 1) await read();
    expect(read).toThrow('the budget of requests is spent');
  });

  it('sends nothing more after 429', async () => {
    sent.length = 0;
    const reads = createPlatformReads(access, { ...deps, fetch });
    expect(await reads.requestToken('/oauth2/token')).toMatchObject({ status: 429 });
    expect(await reads.requestToken('/connect/token')).toEqual({ missed: expect.stringContaining('429') });
    expect(sent).toHaveLength(1);
  });
});

describe('drawbridge doctor --platform', () => {
  it('reads the settings file and the credentials, and prints findings and the profile one a line', async () => {
    const { origin } = await startAnother();
    const app = createAppForTests(origin, representative);
    closers.push(() => rmSync(app, { recursive: true }));
    const { exit, stdout } = await runForTests(
      ['doctor', '--platform', '--env', 'test', '--app', app, '--file', '-', '--json'],
      { readFile: () => JSON.stringify({ clientId: 'client', clientSecret }) },
    );
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines.at(-1)).toEqual({ platformProfile: readBy });
    expect(lines[0]).toMatchObject({ check: 'token', result: 'problem' });
    expect(exit).toBe(1);
    expect(stdout).not.toContain(clientSecret);
  });
});
