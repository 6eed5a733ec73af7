import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { checkSettings } from '#infra/read-settings.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { findRefusedStandIns } from '#infra/settings-file/stand-ins.ts';
import { describeEndpoints } from '#sandbox/endpoints.ts';
import { joinPlatform } from '#sandbox/join-platform.ts';
import { type PlatformServer, startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { lifeCycles } from '#sandbox/platform/triggers/life-cycles.ts';
import { drainAll, refreshToken, runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { readWebhookHeaders } from '#sandbox/webhook-headers.ts';
import { valueAt } from '#shared/plain-message.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { sampleIdentification } from '#test/shared/platform/resources/sample-persons.ts';
import { readAnswer, requestOnboarding, person as samplePerson } from './call-api.ts';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';
import { quickStep, quickSteps } from './quick-steps.ts';
import { runDrawbridge } from './run-drawbridge.ts';

/**
 * The first day with a platform that does otherwise than the specification shows or the defaults expect. The platform takes nothing from
 * the settings of Drawbridge, as that of an operator.
 */

const environment = 'first-day';
const credentials = { clientId: 'partner', clientSecret: 'partner-secret' };

/** What doctor cannot find, because only a write shows it, or because it is a meaning. */
const toldByOperator = {
  scope: 'partner',
  markDelivered: '/undelivered-webhooks/mark',
  externalVerifier: 'ACME_VIDEO',
  profile: {
    verificationWords: { success: ['COMPLETED'] },
    // A zone whose clocks do not change: elsewhere a local time is ambiguous in one hour of the year, and not read.
    times: { zone: 'Africa/Lagos' },
    additionalFields: { address: { region: { type: 'text', requiredIn: ['DE'] } } },
    places: {
      TRADITIONAL_ASSET_ORDER_NOTIFICATION: { kind: 'order', wrappers: ['trade'], id: ['tradeId'], status: ['state'] },
    },
  },
} as const;

/** What doctor finds, but for the requestors: their id is not known before the platform runs. */
const foundByDoctor = {
  webhookPaths: { missing: '/webhooks/missing', undelivered: '/undelivered-webhooks' },
  naturalPersonStatusParameter: 'status',
  exAnteEventType: 'ACME_EX_ANTE_DOCUMENT_READY_NOTIFICATION',
  pageSize: 10,
} as const;

const { scope, markDelivered, externalVerifier } = toldByOperator;

const profileOfOperator = platformProfile.parse({
  ...toldByOperator.profile,
  ...foundByDoctor,
  token: { path: '/connect/token', scope },
  webhookPaths: { ...foundByDoctor.webhookPaths, markDelivered },
});

const settingsOfOperator = {
  requireRequestorEverywhere: true,
  acceptSelfBeforeActive: false,
  externalVerifier,
  answerForms: {
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
    pageSize: foundByDoctor.pageSize,
  },
};

type Way = readonly [
  way: string,
  /** Of a finding; undefined if doctor has nothing to say of it. */
  doctor: string | undefined,
  setting: 'no setting' | `${string}, by doctor` | `${string}, by the operator`,
  /** A line of {@link sentLines}; undefined if the log of the platform withholds the answer. */
  sent: RegExp | undefined,
];

const ways: readonly Way[] = [
  [
    'the path of the token request',
    'Set platformProfile.token.path',
    'token.path, by doctor',
    /^getToken \/connect\/token .* 200 $/,
  ],
  [
    'a scope',
    '/connect/token answers 400 (invalid_scope)',
    'token.scope, by the operator',
    /^getToken \/connect\/token .* 400 $/,
  ],
  ['no token_type', 'no token_type', 'no setting', undefined],
  ['expires_in as a text', 'expires_in 3600 s as a text', 'no setting', undefined],
  ['other numbers as texts', undefined, 'no setting', /^webhook .*"amount":"5"/],
  ['truth values as texts', undefined, 'no setting', /^getNaturalPerson .*"isPep":"false"/],
  [
    'statuses as objects',
    'ACTIVE, CREATED, SUSPENDED in naturalPersonStatus',
    'no setting',
    /^getNaturalPerson .*"naturalPersonStatus":{"code":"ACTIVE"/,
  ],
  [
    'the success word of a verification',
    'not known: COMPLETED',
    'verificationWords.success, by the operator',
    /^getIdentificationVerification .*"status":{"code":"COMPLETED"/,
  ],
  [
    'errors as RFC 9457 has them',
    'detail says VALIDATION_ERROR',
    'no setting',
    / 400 {"type":"about:blank","title":"Bad Request","status":400,"detail":"VALIDATION_ERROR: /,
  ],
  [
    'times without a zone and without seconds',
    'without a zone: createdOn of persons',
    'times.zone, by the operator',
    /^webhook .*"modifiedOn":"[\d-]{10}T\d\d:\d\d"/,
  ],
  ['an empty text as a time', undefined, 'no setting', /^getNaturalPerson .*"verifiedOn":""/],
  ['a text with 202', undefined, 'no setting', /^createNaturalPersonIdentification .* 202 Accepted$/],
  ['the id of what is created as id', undefined, 'no setting', /^createNaturalPerson .* 200 {"id":"/],
  [
    'missing webhooks as a page of texts',
    '/webhooks/missing answers pages; 28 members',
    'no setting',
    /^listMissingWebhooks .* {"data":\["/,
  ],
  [
    'the path of missing webhooks',
    'Set platformProfile.webhookPaths.missing',
    'webhookPaths.missing, by doctor',
    /^listMissingWebhooks \/webhooks\/missing/,
  ],
  [
    'the path of undelivered webhooks',
    'Set platformProfile.webhookPaths.undelivered',
    'webhookPaths.undelivered, by doctor',
    /^listUndeliveredWebhooks \/undelivered-webhooks/,
  ],
  [
    'the path that marks webhooks delivered',
    'Ask the operator for the path by which',
    'webhookPaths.markDelivered, by the operator',
    /^markWebhooksDelivered \/undelivered-webhooks\/mark .* 200 $/,
  ],
  ['cursors as numbers', 'the cursor is a number', 'no setting', /^listNaturalPersons .*\?cursor=\d+&/],
  [
    'null as the last cursor',
    'the cursor of the last page is null',
    'no setting',
    /^listNaturalPersons .*"cursor":null}/,
  ],
  ['pages of ten', 'so that a page has 10 items at most', 'pageSize, by doctor', /^listNaturalPersons .*"limit":"10"/],
  [
    'a Requestor-ID on each call',
    'webhooks: without Requestor-ID 400',
    'requestors, by doctor',
    /^registerWebhook \/webhooks for [\da-f-]{36} .* 200 $/,
  ],
  [
    'the parameter that filters by status',
    'persons are filtered by status, and not by',
    'naturalPersonStatusParameter, by doctor',
    /^listNaturalPersons .*\?status=/,
  ],
  [
    'the event type of a vendor',
    'not in the profile: ACME_EX_ANTE_DOCUMENT',
    'exAnteEventType, by doctor',
    /^registerWebhook .*ACME_EX_ANTE_DOCUMENT/,
  ],
  [
    'the vendor of identifications',
    undefined,
    'onboarding.externalVerifier, by the operator',
    /^createIdentificationVerification .*"ACME_VIDEO"/,
  ],
  [
    'a required field of an address',
    undefined,
    'additionalFields, by the operator',
    /^createNaturalPerson .*"region":"Berlin"/,
  ],
  [
    'the place of an order in its webhook',
    undefined,
    'places, by the operator',
    /^webhook TRADITIONAL_ASSET_ORDER_NOTIFICATION {"trade":{"tradeId":/,
  ],
];

let server: PlatformServer;
let directory: string;
/** The person whom the operator has given a proxy for each person of the partner. */
let requestor: string;
let stacks: HostedStacks;
let api: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-first-day-'));
  server = await startPlatformServer({
    profile: profileOfOperator,
    credentials,
    settings: {
      ...settingsOfOperator,
      ...quickSteps,
      videoCallsAfter: quickStep,
      ordersPendingAfter: quickStep,
      deliveryRetriesAfter: [],
    },
    fetch,
    now: () => new Date(),
    onError: (error) => {
      throw error;
    },
  });
  const { platform } = server;
  watchWhatIsSent(platform);
  requestor = makeReadyPerson(platform, {}, 'ACTIVE').naturalPersonId;
  platform.settings.change({ representativeId: requestor });
  // What the operator has for tests: more persons than a page, and one of them identified by video.
  for (let count = 0; count < 11; count += 1) makeReadyPerson(platform, {}, 'ACTIVE');
  for (const status of ['SUSPENDED', 'CREATED'] as const) makeReadyPerson(platform, {}, status);
  const { naturalPersonId } = makeReadyPerson(platform, {}, 'CREATED');
  platform.verifications.create({ naturalPersonId, externalVerifier, identificationType: 'VIDEO_IDENT' });
  await platform.clock.advance(1);
});
afterAll(async () => {
  await stacks?.host.close();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A line for each call of the platform's API with its answer, and for each webhook. */
const sentLines: string[] = [];

function watchWhatIsSent({ requests, deliveryLog }: PlatformServer['platform']): void {
  requests.observe(({ operation, path, query, requestorId = 'no one', body = '', status, answer = '' }) => {
    sentLines.push(`${operation} ${path}${query} for ${requestorId} ${body} ${status} ${answer}`);
  });
  deliveryLog.observe(({ eventType, body }) => sentLines.push(`webhook ${eventType} ${Buffer.from(body)}`));
}

const finding = z.object({ check: z.string(), result: z.string(), detail: z.string(), remedy: z.string().optional() });
const printedProfile = z.object({ platformProfile: z.record(z.string(), z.unknown()) });
/** What doctor printed for the settings file, and what the file has in the end. */
let printed: object = {};
let stated: object = {};
/** Each finding of each run. */
const said: string[] = [];

/** Runs `drawbridge doctor --platform` with these settings in the file. */
async function askDoctor(ofProfile: object, onboarding: object = {}) {
  const settings = {
    platform: { baseUrl: server.origin, authUrl: server.origin },
    onboarding: { requestor, ...onboarding },
    platformProfile: ofProfile,
  };
  mkdirSync(join(directory, 'settings'), { recursive: true });
  writeFileSync(join(directory, 'settings', `${environment}.json`), JSON.stringify(settings));
  const lines = await drawbridge('doctor', '--platform', '--env', environment, '--app', directory, '--file', '-');
  const findings = lines
    .jsonLines()
    .slice(0, -1)
    .map((line) => finding.parse(line));
  said.push(...findings.map(({ check, detail, remedy = '' }) => `${check}: ${detail}. ${remedy}`));
  return {
    exit: lines.exit,
    notGood: findings.filter(({ result }) => result !== 'good'),
    profile: printedProfile.parse(lines.jsonLines().at(-1)).platformProfile,
  };
}

const drawbridge = (...commandLine: readonly string[]) =>
  runDrawbridge({ endpointsFile: join(directory, 'endpoints.json') }, [...commandLine, '--json'], {
    readFile: () => JSON.stringify(credentials),
    wait: async () => undefined,
  });

const view = z.looseObject({ step: z.string(), status: z.string(), naturalPersonId: z.string() }).partial();
const read = async (path: string) => view.parse(await readAnswer(api, path));

async function request(externalId: string, identification: object): Promise<void> {
  const person = { ...samplePerson, mainAddress: { country: 'DE', region: 'Berlin' } };
  expect((await requestOnboarding(api, externalId, { person, identification })).status).toBe(202);
}

/** Waits until the onboarding is completed. Returns the platform's id of the person. */
async function completes(externalId: string): Promise<string> {
  const onboarding = () => read(`/onboardings/${externalId}`);
  await expect.poll(onboarding, { timeout: 60_000 }).toMatchObject({ step: 'COMPLETED' });
  const { naturalPersonId = '' } = await onboarding();
  expect(server.platform.persons.get(naturalPersonId).naturalPersonStatus).toBe('ACTIVE');
  return naturalPersonId;
}

describe('the first day with a platform that differs from the defaults', () => {
  it('begins with doctor, which prints the profile that reads the answers, and whom to ask for the rest', async () => {
    const first = await askDoctor({});
    expect(first).toMatchObject({ exit: 1, profile: { token: { path: '/connect/token' } } });
    const token = { path: '/connect/token', scope };
    const second = await askDoctor({ ...first.profile, token });
    const { token: _, ...found } = second.profile;
    const requestors = { naturalPerson: requestor, naturalPersons: requestor, webhooks: requestor };
    expect(found).toEqual({ ...foundByDoctor, requestors: { ...requestors, undeliveredWebhooks: requestor } });

    const webhookPaths = { ...foundByDoctor.webhookPaths, markDelivered };
    const complete = { ...second.profile, ...toldByOperator.profile, webhookPaths };
    printed = { ...second.profile, ...first.profile };
    stated = { ...complete, onboarding: { externalVerifier } };
    const third = await askDoctor(complete, { externalVerifier });
    expect(third).toMatchObject({ exit: 0, notGood: [] });
  });

  it('goes on with the deployment of these settings, which registers a webhook for each event type', async () => {
    const settings = checkSettings(environment, readSettingsFile(join(directory, 'settings'), environment));
    expect(findRefusedStandIns(settings)).toEqual([]);
    const { platform: address, platformProfile: ofProfile, onboarding } = settings;
    const context = { platform: address, platformProfile: ofProfile, onboarding };
    const assembly = join(directory, 'cdk.out');
    await copyAssembly(inject('assembly'), { outputDirectory: assembly, context });
    const { platform, origin } = server;
    stacks = await startHostedStacks({ assembly, redeliveryDelay: 0, now: platform.clock.now });
    const { host } = stacks;
    await joinPlatform({ host, credentials, registrations: platform.registrations, newEventTypes: [] });
    expect(platform.registrations.missing()).toEqual([]);
    const endpoints = describeEndpoints({ host, platform: origin, webhookHeaders: await readWebhookHeaders(host) });
    writeFileSync(join(directory, 'endpoints.json'), JSON.stringify(endpoints));
    api = endpoints.api;
  });

  it('onboards a person by video, and one by an identification that the partner supplies', async () => {
    await request('by-video', { mode: 'video' });
    await completes('by-video');
    await request('supplied', { ...sampleIdentification, externalVerifier, mode: 'supplied' });
    await completes('supplied');
  });

  it('stores what webhooks report, drains those that were not delivered, and finds no drift', async () => {
    const { platform } = server;
    const { host } = stacks;
    const { naturalPersonId = '' } = await read('/onboardings/by-video');
    const { orderId = '' }: Readonly<Record<string, string>> = lifeCycles['order.filled'].run(platform, {
      naturalPersonId,
    });
    await platform.clock.advance(60);
    await expect.poll(() => read(`/entities/order/${orderId}`)).toMatchObject({ status: 'FILLED' });
    platform.orders.settle(orderId);
    await expect.poll(() => read(`/entities/order/${orderId}`)).toMatchObject({ status: 'SETTLED' });

    host.setReachable(false);
    // Their times are the same: a minute is all that the platform says.
    const receive = () => platform.transfers.create({ naturalPersonId, direction: 'IN', amount: 5 }).transferId;
    const lost = [receive(), receive(), receive()];
    await expect.poll(() => platform.undelivered.count()).toBe(lost.length);
    host.setReachable(true);
    await drainAll({ host, platform });
    expect(platform.undelivered.count()).toBe(0);
    for (const id of lost)
      await expect.poll(() => read(`/entities/transfer/${id}`)).toMatchObject({ status: 'PROCESSED' });

    // Longer than the grace period for late webhooks.
    await platform.clock.advance(35 * 60);
    await refreshToken(host);
    await runSchedule(host, 'reconcile-runs');
    const report = await drawbridge('reconcile', 'report');
    const counts = { checked: platform.persons.all().length, drifted: 0 };
    expect(report).toMatchObject({ exit: 0 });
    expect(report.json()).toMatchObject({
      outcome: 'complete',
      counts: { 'natural-person': counts, order: { drifted: 0 } },
    });
    expect(stacks.log.filter((line) => line.includes('"level":"ERROR"'))).toEqual([]);
  });

  it.each(ways)('has met %s', (_, doctor, setting, sent) => {
    if (doctor !== undefined) expect(said.join('\n')).toContain(doctor);
    if (sent !== undefined) expect(sentLines.some((line) => sent.test(line))).toBe(true);
    const [name = '', by] = setting.split(', by ');
    const isIn = (settings: object) => valueAt(settings, name.split('.')) !== undefined;
    expect([isIn(printed), isIn(stated)]).toEqual([by === 'doctor', by !== undefined]);
  });
});
