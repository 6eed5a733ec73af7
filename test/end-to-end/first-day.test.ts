import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { readSettings } from '#infra/read-settings.ts';
import { describeEndpoints } from '#sandbox/endpoints.ts';
import { joinPlatform } from '#sandbox/join-platform.ts';
import { type PlatformServer, startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { drainAll, refreshToken, runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { readWebhookHeaders } from '#sandbox/webhook-headers.ts';
import { lifeCycles } from '#sandbox/platform/triggers/life-cycles.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';
import { quickStep, quickSteps } from './quick-steps.ts';
import { runDrawbridge } from './run-drawbridge.ts';

const environment = 'first-day';
const credentials = { clientId: 'partner', clientSecret: 'partner-secret' };
const externalVerifier = 'ACME_VIDEO';

/** What the operator's platform does. Drawbridge begins with the defaults, and learns the rest from doctor and from the operator. */
const profileOfOperator = platformProfile.parse({
  token: { path: '/connect/token', scope: 'partner' },
  webhookPaths: {
    missing: '/webhooks/missing',
    undelivered: '/undelivered-webhooks',
    markDelivered: '/undelivered-webhooks/mark',
  },
  naturalPersonStatusParameter: 'status',
  exAnteEventType: 'ACME_EX_ANTE_DOCUMENT_READY_NOTIFICATION',
  verificationWords: { success: ['COMPLETED'] },
  // A zone whose clocks do not change: a local time is ambiguous or missing twice a year elsewhere.
  times: { zone: 'Africa/Lagos' },
  places: {
    TRADITIONAL_ASSET_ORDER_NOTIFICATION: { kind: 'order', wrappers: ['trade'], id: ['tradeId'], status: ['state'] },
  },
});

const answerForms = {
  errors: 'PROBLEM',
  times: 'LOCAL_MINUTES',
  emptyTimes: true,
  numbers: 'TEXTS',
  booleans: 'TEXTS',
  statuses: 'OBJECTS',
  createdIds: 'ID',
  acceptedText: true,
  tokenType: false,
  missingWebhooks: 'PAGE',
  cursors: 'NUMBERS',
  lastCursor: 'NULL',
  pageSize: 10,
} as const;

let server: PlatformServer;
let directory: string;
let stacks: HostedStacks | undefined;
let requestor: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-first-day-'));
  server = await startPlatformServer({
    profile: profileOfOperator,
    credentials,
    settings: {
      ...quickSteps,
      answerForms,
      requireRequestorEverywhere: true,
      acceptSelfBeforeActive: false,
      externalVerifier,
      videoCallsAfter: quickStep,
      ordersPendingAfter: quickStep,
      ordersExecutedAfter: quickStep,
      ordersSettledAfter: quickStep,
      deliveryRetriesAfter: [],
    },
    fetch,
    now: () => new Date(),
    onError: (error) => {
      throw error;
    },
  });
  const { platform } = server;
  requestor = makeReadyPerson(platform, {}, 'ACTIVE').naturalPersonId;
  platform.settings.change({ representativeId: requestor });
  // The operator's test persons, and one of them that was identified by video.
  for (let count = 0; count < 11; count += 1) makeReadyPerson(platform, {}, 'ACTIVE');
  makeReadyPerson(platform, {}, 'SUSPENDED');
  const { naturalPersonId } = makeReadyPerson(platform, {}, 'CREATED');
  platform.verifications.create({ naturalPersonId, externalVerifier, identificationType: 'VIDEO_IDENT' });
  await platform.clock.advance(1);
  makeReadyPerson(platform, {}, 'CREATED');
});
afterAll(async () => {
  await stacks?.host.close();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const finding = z.object({ check: z.string(), result: z.string(), detail: z.string(), remedy: z.string().optional() });
const printedProfile = z.object({ platformProfile: z.record(z.string(), z.unknown()) });

function writeSettings(platformProfileOfFile: object, onboarding: object): void {
  mkdirSync(join(directory, 'settings'), { recursive: true });
  const settings = {
    platform: { baseUrl: server.origin, authUrl: server.origin },
    onboarding: { requestor, ...onboarding },
    platformProfile: platformProfileOfFile,
  };
  writeFileSync(join(directory, 'settings', `${environment}.json`), JSON.stringify(settings, undefined, 2));
}

/** Runs `drawbridge doctor --platform` with the settings file. */
async function askDoctor() {
  const commandLine = ['doctor', '--platform', '--env', environment, '--app', directory, '--file', '-', '--json'];
  const result = await runDrawbridge({ endpointsFile: join(directory, 'endpoints.json') }, commandLine, {
    readFile: () => JSON.stringify(credentials),
    wait: async () => undefined,
  });
  const lines = result.jsonLines();
  const profile = printedProfile.parse(lines.at(-1)).platformProfile;
  return { exit: result.exit, findings: lines.slice(0, -1).map((line) => finding.parse(line)), profile };
}

/** What each way of the platform leads to: what doctor says of it, and the setting that it needs. */
const ways = [
  ['the token service has another path', '/connect/token', 'token.path'],
  ['and needs a scope', 'invalid_scope', 'token.scope, by the operator'],
  ['its answer has no token_type', 'no token_type', 'none'],
  ['numbers are texts', 'expires_in 3600 s as a text', 'none'],
] as const;

describe('the first day', () => {
  it('debug', async () => {
    expect(ways.length).toBeGreaterThan(0);
    writeSettings({}, {});
    const first = await askDoctor();
    console.log(JSON.stringify(first, undefined, 1));
    writeSettings({ ...first.profile, token: { path: '/connect/token', scope: 'partner' } }, {});
    const second = await askDoctor();
    const { webhookPaths } = z.object({ webhookPaths: z.record(z.string(), z.string()) }).parse(second.profile);
    const { verificationWords, times, places } = profileOfOperator;
    const told = {
      webhookPaths: { ...webhookPaths, markDelivered: '/undelivered-webhooks/mark' },
      verificationWords,
      times,
      places,
    };
    writeSettings({ ...second.profile, ...told }, { externalVerifier });
    const third = await askDoctor();
    console.log(JSON.stringify(third.findings, undefined, 1));
    const { settings } = readSettings(new App({ context: { environment } }).node, join(directory, 'settings'));
    const { platform } = server;
    const assembly = join(directory, 'cdk.out');
    await copyAssembly(inject('assembly'), {
      outputDirectory: assembly,
      context: { platform: settings.platform, platformProfile: settings.platformProfile, onboarding: settings.onboarding },
    });
    stacks = await startHostedStacks({ assembly, redeliveryDelay: 0, now: platform.clock.now });
    const { host, log } = stacks;
    const { registrations } = platform;
    try {
    await joinPlatform({ host, credentials, registrations, newEventTypes: [] });
    } catch (error) { console.log(log.slice(-30).join('\n')); throw error; }
    const webhookHeaders = await readWebhookHeaders(host);
    const endpoints = describeEndpoints({ host, platform: server.origin, webhookHeaders });
    writeFileSync(join(directory, 'endpoints.json'), JSON.stringify(endpoints));
    const { externalId = '', ...person } = samplePerson;
    const answer = await fetch(`${endpoints.api}/onboardings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ externalId, person, identification: { mode: 'video' } }),
    });
    expect(answer.status).toBe(202);
    const read = async (path: string) =>
      z.looseObject({ step: z.string().optional(), status: z.string().optional() }).parse(await (await fetch(`${endpoints.api}${path}`)).json());
    await expect
      .poll(async () => read(`/onboardings/${externalId}`), { timeout: 60_000 })
      .toMatchObject({ step: 'COMPLETED' })
      .catch((error: unknown) => {
        console.log(log.slice(-50).join('\n'));
        throw error;
      });
    console.log(await read(`/onboardings/${externalId}`));
    const { naturalPersonId } = z.object({ naturalPersonId: z.string() }).parse(await read(`/onboardings/${externalId}`));
    const { orderId } = z.object({orderId: z.string()}).parse(lifeCycles['order.settled'].run(platform, { naturalPersonId }));
    await platform.clock.advance(60);
    await expect.poll(() => read(`/entities/order/${orderId}`)).toMatchObject({ status: 'SETTLED' });
    console.log(JSON.stringify(await (await fetch(`${endpoints.api}/entities/order/${orderId}/timeline`)).json(), undefined, 1));

    host.setReachable(false);
    const { transferId } = platform.transfers.create({ naturalPersonId, direction: 'IN', amount: 5 });
    await expect.poll(() => platform.undelivered.count()).toBe(1);
    host.setReachable(true);
    const runs = await drainAll({ host, platform });
    console.log('drain runs', runs, platform.undelivered.count());
    expect(platform.undelivered.count()).toBe(0);
    await expect.poll(() => read(`/entities/transfer/${transferId}`)).toMatchObject({ status: 'PROCESSED' });
    await platform.clock.advance(35 * 60);
    await refreshToken(host);
    await runSchedule(host, 'reconcile-runs');
    for (const mode of ['report', 'repair', 'report']) {
      const { exit, stdout, stderr } = await runDrawbridge({ endpointsFile: join(directory, 'endpoints.json') }, ['reconcile', mode]);
      console.log(mode, exit, stdout, stderr);
    }
    console.log(log.filter((line) => /"level":"(ERROR|WARN)"/.test(line)).slice(0, 20).join('\n'));
  });
});
