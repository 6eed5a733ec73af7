import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CreateTableCommand, DeleteItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { copyMissingRows } from '#cli/copy-rows/copy-missing-rows.ts';
import { type Host, startHost } from '#sandbox/aws/host.ts';
import { joinPlatform } from '#sandbox/join-platform.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { webhooksUrlOf } from '#sandbox/webhook-headers.ts';
import { personAnswer } from '#shared/api/onboarding-answers.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { readAnswer, requestOnboarding } from './call-api.ts';
import { passGracePeriod } from './change-host.ts';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { configureAws, runDrawbridge } from './run-drawbridge.ts';

const root = dirname(dirname(import.meta.dirname));
const page = readFileSync(join(root, 'docs/how-to/recover.md'), 'utf8');
const externalId = 'recovered';
let sandbox: HostedSandbox;
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    platform: { settings: { acceptSelfBeforeActive: true, videoCallsAfter: null, deliveryRetriesAfter: [] } },
  });
}, 120_000);
afterAll(() => sandbox.close());

const tableOf = (name: string, host: Host = sandbox.host) => {
  const table = host.blueprint.tables.find((one) => one.name === name);
  if (table === undefined) throw new Error(`The stacks have no table ${name}.`);
  return table;
};

async function rowsOf(TableName: string) {
  const { Items = [] } = await sandbox.host.clients.dynamodb.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items;
}

/** Restores a table to what it is now, as point-in-time recovery does: into a new table. */
async function restore(name: string): Promise<string> {
  const { physicalName, properties } = tableOf(name);
  const { dynamodb } = sandbox.host.clients;
  const restored = `${physicalName}-restored`;
  const { BillingMode, KeySchema } = properties;
  const ofKeys = properties.AttributeDefinitions.filter(({ AttributeName }) =>
    KeySchema.some((key) => key.AttributeName === AttributeName),
  );
  await dynamodb.send(
    new CreateTableCommand({ TableName: restored, BillingMode, KeySchema, AttributeDefinitions: ofKeys }),
  );
  for (const Item of await rowsOf(physicalName)) await dynamodb.send(new PutItemCommand({ TableName: restored, Item }));
  return restored;
}

/** Loses every row of a table. */
async function empty(name: string): Promise<void> {
  const { physicalName: TableName, properties } = tableOf(name);
  for (const row of await rowsOf(TableName)) {
    const keys = properties.KeySchema.map(({ AttributeName }) => [AttributeName, row[AttributeName]]);
    await sandbox.host.clients.dynamodb.send(new DeleteItemCommand({ TableName, Key: Object.fromEntries(keys) }));
  }
}

async function invoke(host: Host, name: string, event: object): Promise<Readonly<Record<string, unknown>>> {
  const result = await host.functions.find(name)?.invoke(JSON.stringify(event));
  if (result === undefined || result.error !== undefined) throw new Error(JSON.stringify(result?.error));
  return z.record(z.string(), z.unknown()).parse(JSON.parse(result.payload));
}

/** Runs the function until its report is complete, as `drawbridge reconcile` does. */
async function reconcile(host: Host, mode: 'report' | 'repair') {
  const report = z.looseObject({
    outcome: z.string(),
    counts: z.record(z.string(), z.looseObject({ checked: z.number(), drifted: z.number() })),
  });
  for (let run = 0; run < 20; run += 1) {
    const answer = report.parse(await invoke(host, 'reconcile', { mode }));
    if (answer.outcome === 'complete') return answer.counts;
  }
  throw new Error('reconcile does not end.');
}

const driftOf = (counts: Awaited<ReturnType<typeof reconcile>>) =>
  Object.values(counts).reduce((sum, { drifted }) => sum + drifted, 0);

async function createPersons(number: number): Promise<void> {
  for (let created = 0; created < number; created += 1) makeReadyPerson(sandbox.platform, {}, 'ACTIVE');
  while (sandbox.platform.deliveries.waiting() > 0) await sandbox.platform.clock.advance(1);
  await waitUntilStored(sandbox.host);
}

async function onboard(host: Host, id = externalId): Promise<number> {
  return (await requestOnboarding(host.place.apiOrigin, id)).status;
}

const readOnboarding = (host: Host, id: string) => readAnswer(host.place.apiOrigin, `/onboardings/${id}`);

const stepOf = async (host: Host, id = externalId) => (await readOnboarding(host, id))['step'];

const run = (...commandLine: readonly string[]) => runDrawbridge(sandbox, commandLine);

function endVideoCalls(): void {
  const { verifications } = sandbox.platform;
  const calls = personsOnPlatform().flatMap(({ naturalPersonId }) => verifications.of(naturalPersonId));
  for (const { identificationVerificationId } of calls)
    verifications.endVideoCall(identificationVerificationId, 'APPROVED');
}

const personsOnPlatform = () => sandbox.platform.persons.list({ limit: 100 }).data;

describe('docs/how-to/recover.md', () => {
  it('restores lost rows from a backup, replays the events since, and then finds no drift', async () => {
    const { host } = sandbox;
    await createPersons(5);
    expect(await onboard(host)).toBe(202);
    await expect.poll(() => stepOf(host), { timeout: 60_000 }).toBe('AWAITING_VIDEO_CALL');
    await waitUntilStored(host);
    const restored = { entities: await restore('entities'), onboardings: await restore('onboardings') };
    // After the moment that is restored.
    await createPersons(3);
    await empty('entities');
    await empty('onboardings');
    endVideoCalls();
    await createPersons(2);
    await passGracePeriod({ host, platform: sandbox.platform });
    expect(driftOf(await reconcile(host, 'report'))).toBeGreaterThan(0);

    for (const [name, from] of Object.entries(restored)) {
      const to = tableOf(name).physicalName;
      const before = await rowsOf(to);
      const { copied, kept } = await copyMissingRows({ dynamodb: host.clients.dynamodb, from, to });
      expect(copied).toBeGreaterThan(0);
      expect(copied + kept).toBe((await rowsOf(from)).length);
      expect(await rowsOf(to)).toEqual(expect.arrayContaining(before));
    }
    const counted = await invoke(host, 'replay', {
      events: 'all',
      receivedTo: sandbox.platform.clock.now().toISOString(),
    });
    await invoke(host, 'replay', z.record(z.string(), z.unknown()).parse(counted['replay']));
    await waitUntilStored(host);
    await reconcile(host, 'repair');
    await waitUntilStored(host);
    expect(driftOf(await reconcile(host, 'report'))).toBe(0);
    // The video call took place while the row of the onboarding was missing.
    await expect.poll(() => stepOf(host)).toBe('COMPLETED');
    expect(personsOnPlatform().filter((person) => person.externalId === externalId)).toHaveLength(1);
  }, 120_000);

  it('copies no row twice, by the command of the page', async () => {
    const table = tableOf('entities').physicalName;
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    configureAws(sandbox.host);
    const rows = await rowsOf(`${table}-restored`);
    const { stdout } = await run('copy-rows', '--from', `${table}-restored`, '--to', table, '--yes');
    expect(stdout).toContain(`0 rows copied to ${table}. ${rows.length} rows were there and stay.`);
  }, 60_000);

  it('repeats the erasures since a backup, by the command of the page', async () => {
    const { host } = sandbox;
    const { dynamodb } = host.clients;
    const readBodies = async () =>
      (await readAllEvents(host)).flatMap(({ erasedOn, deflatedBody }) =>
        erasedOn === undefined ? [Buffer.from(inflateBody(deflatedBody)).toString()] : [],
      );
    const [erased, reopened] = ['erased-since', 'reopened-since'];
    for (const id of [erased, reopened]) expect(await onboard(host, id)).toBe(202);
    for (const id of [erased, reopened])
      await expect.poll(() => stepOf(host, id), { timeout: 60_000 }).toBe('AWAITING_VIDEO_CALL');
    const { naturalPersonId } = await readOnboarding(host, erased);
    // In quarantine, so that no timeline has the event: only the index of persons finds it.
    const notice = { naturalPersonId, status: 'no status', note: samplePerson.lastName };
    await sandbox.deliver('NATURAL_PERSON_NOTIFICATION', notice);
    await run('onboardings', 'cancel', erased);
    await waitUntilStored(host);
    const readPerson = async (id: string) =>
      personAnswer.parse(await readAnswer(host.place.apiOrigin, `/persons/${id}`));
    await readPerson(erased);
    await passGracePeriod({ host, platform: sandbox.platform });
    // The index is filled for the last time.
    expect((await readPerson(erased)).isComplete).toBe(true);
    const since = sandbox.platform.clock.now().toISOString();
    const tables = ['entities', 'events', 'onboardings'].map((name) => tableOf(name).physicalName);
    const backup = await Promise.all(tables.map(rowsOf));
    await run('onboardings', 'cancel', reopened);
    for (const id of [erased, reopened]) expect(await run('persons', 'erase', id)).toMatchObject({ exit: 0 });
    expect(await run('persons', 'erase', erased)).toMatchObject({ exit: 0 });

    for (const name of ['entities', 'events', 'onboardings']) await empty(name);
    for (const [index, TableName] of tables.entries())
      for (const Item of backup[index] ?? []) await dynamodb.send(new PutItemCommand({ TableName, Item }));
    const [, Key = ''] = /delete-item --table-name "\$CHECKPOINTS" --key '([^']+)'/.exec(page) ?? [];
    const checkpoints = tableOf('checkpoints').physicalName;
    await dynamodb.send(new DeleteItemCommand({ TableName: checkpoints, Key: JSON.parse(Key) }));
    expect(await readOnboarding(host, erased)).toMatchObject({ naturalPersonId });
    expect((await readBodies()).join()).toContain(JSON.stringify(notice));

    const repeat = () => run('persons', 'repeat-erasures', '--since', since, '--json');
    const kept = await run('persons', 'repeat-erasures', '--since', since, '--list', '--json');
    expect(kept.json()).toMatchObject({ count: 2, erasures: [{ naturalPersonIds: [expect.any(String)] }, {}] });
    const first = await repeat();
    expect({ exit: first.exit, answer: first.json() }).toEqual({
      exit: 1,
      answer: {
        count: 2,
        erased: 1,
        refused: [{ onboardingId: onboardingIdOf(reopened), reason: expect.stringContaining('409') }],
      },
    });
    await run('onboardings', 'cancel', reopened);
    const file = join(mkdtempSync(join(tmpdir(), 'drawbridge-')), 'erasures.json');
    onTestFinished(() => rmSync(dirname(file), { recursive: true, force: true }));
    writeFileSync(file, JSON.stringify(kept.json()));
    const second = await run('persons', 'repeat-erasures', '--file', file, '--json');
    expect({ exit: second.exit, answer: second.json() }).toEqual({
      exit: 0,
      answer: { count: 2, erased: 2, refused: [] },
    });
    for (const id of [erased, reopened]) {
      expect((await fetch(`${host.place.apiOrigin}/onboardings/${id}`)).status).toBe(410);
      expect(await readPerson(id)).toMatchObject({ onboarding: 'ERASED', naturalPersonIds: [], events: [] });
    }
    expect((await fetch(`${host.place.apiOrigin}/entities/natural-person/${naturalPersonId}`)).status).toBe(404);
    expect((await readBodies()).filter((body) => body.includes(String(naturalPersonId)))).toEqual([]);
    const actions = (await run('audit', '--json')).jsonLines();
    expect(actions).toContainEqual(expect.objectContaining({ action: 'erasures repeated', size: 2 }));
  }, 120_000);

  it('rebuilds an empty region: takes over the webhooks, drains, reconciles, and adopts the onboarding', async () => {
    const { platform, host: lost } = sandbox;
    lost.setReachable(false);
    lost.schedules.close();
    await createPersons(2);
    const persons = personsOnPlatform().length;
    expect(platform.undelivered.count()).toBeGreaterThan(0);

    const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
    const address = { baseUrl: sandbox.endpoints.platform, authUrl: sandbox.endpoints.platform };
    const formerWebhooksUrls = [webhooksUrlOf(lost)];
    await copyAssembly(inject('assembly'), {
      outputDirectory: directory,
      context: { platform: address, formerWebhooksUrls },
    });
    const region = await startHost({ assembly: directory, redeliveryDelay: 0, now: platform.clock.now });
    try {
      await joinPlatform({
        host: region,
        credentials: defaultCredentials,
        registrations: platform.registrations,
        newEventTypes: [],
      });
      await invoke(region, 'register', { mode: 'apply' });
      for (const { url } of platform.registrations.list()) expect(url).toContain(webhooksUrlOf(region));
      const undelivered = platform.undelivered.count();
      await runSchedule(region, 'drain-runs');
      await waitUntilStored(region);
      expect(await readAllEvents(region)).toHaveLength(undelivered);
      expect(await onboard(region)).toBe(202);
      // The person that the onboarding adopts is ACTIVE.
      await expect.poll(() => stepOf(region), { timeout: 60_000 }).toBe('COMPLETED');
      await passGracePeriod({ host: region, platform });
      await reconcile(region, 'repair');
      await waitUntilStored(region);
      const counts = await reconcile(region, 'report');
      expect(driftOf(counts)).toBe(0);
      expect(counts['natural-person']?.checked).toBe(persons);
      expect(personsOnPlatform().filter((person) => person.externalId === externalId)).toHaveLength(1);
    } finally {
      await region.close();
      rmSync(directory, { recursive: true, force: true });
    }
  }, 120_000);
});
