import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { root } from '#docs/generate/markdown-pages.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { refreshToken } from '#sandbox/scenario/common/schedules.ts';
import { writeEvent } from '#shared/entities/entity-row.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { sampleIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { createActionLog, nothingDone } from './action-log.ts';
import { person, requestOnboarding } from './call-api.ts';
import { collectPermissions, readOperatorPolicies } from './command-permissions.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { type CommandResult, runDrawbridge } from './run-drawbridge.ts';

const transfers = 'TRANSFER_NOTIFICATION';
const directory = mkdtempSync(join(tmpdir(), 'drawbridge-cli-'));
const printed: CommandResult[] = [];
const permissions = collectPermissions();
const actionLog = createActionLog();
const named = z.looseObject({ TableName: z.string().optional() });

let sandbox: HostedSandbox;
/** The AWS calls of the functions: `store DeleteItem`, and for the events table also its name. */
const calls: string[] = [];
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    onAwsCall: (moment) => {
      permissions.onAwsCall(moment);
      actionLog.onAwsCall(moment);
      const { when, caller, operation, input } = moment;
      if (when !== 'after' || caller === undefined) return;
      const [table = ''] = /events$/.exec(named.parse(input()).TableName ?? '') ?? [];
      calls.push(`${caller} ${operation} ${table}`.trim());
    },
    platform: { settings: { acceptSelfBeforeActive: true } },
  });
}, 120_000);
afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await sandbox.close();
});

async function run(commandLine: string, deps: Parameters<typeof runDrawbridge>[2] = {}): Promise<CommandResult> {
  const result = await runDrawbridge(sandbox, commandLine.split(' '), { fetch: permissions.fetch, ...deps });
  printed.push(result);
  return result;
}

function writeFile(name: string, content: object): string {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** The JSON that docs/how-to/onboard.md shows for `persons update`. */
function updateOfPage(): string {
  const page = readFileSync(join(root, 'docs/how-to/onboard.md'), 'utf8');
  return /```json\n(\{ "naturalPersonUpdateData".*?)```/s.exec(page)?.[1] ?? '';
}

describe('drawbridge onboardings and persons', () => {
  const request = { externalId: 'cli-1', person, identification: { mode: 'video' } };

  it('starts onboardings from a file, updates the person, cancels, and says why an onboarding cannot be retried', async () => {
    const file = writeFile('request.json', request);
    const started = await run(`onboardings start ${file} --json`);
    expect(started.json()).toMatchObject({ step: 'REQUESTED', mode: 'video' });
    const other = await run(`onboardings start ${file} --external-id cli-2 --json`);
    expect(other.json()).not.toMatchObject({ onboardingId: (started.json() as { onboardingId: string }).onboardingId });
    for (const id of ['cli-1', 'cli-2'])
      await expect
        .poll(async () => (await sandbox.readApi(`/onboardings/${id}`))['step'], { timeout: 60_000 })
        .toBe('AWAITING_VIDEO_CALL');
    const { identificationVerificationId } = await sandbox.readApi('/onboardings/cli-1');
    sandbox.platform.verifications.endVideoCall(String(identificationVerificationId), 'APPROVED');
    expect((await run('onboardings show cli-1 --watch --json')).jsonLines().at(-1)).toMatchObject({
      step: 'COMPLETED',
    });
    const ofPage = join(directory, 'update-of-page.json');
    writeFileSync(ofPage, updateOfPage());
    for (const update of [ofPage, '--set profession=Leuchtturmwärterin'])
      expect((await run(`persons update cli-1 ${update} --json`)).json()).toEqual({
        externalId: 'cli-1',
        updated: true,
      });
    expect((await run('onboardings cancel cli-2 --watch --json')).jsonLines().at(-1)).toMatchObject({
      step: 'CANCELED',
    });
    const several = await run('onboardings retry cli-2 cli-unknown --json');
    expect({ exit: several.exit, lines: several.jsonLines() }).toEqual({
      exit: 1,
      lines: ['cli-2', 'cli-unknown'].map((externalId) => ({
        externalId,
        problem: expect.stringMatching(/^The API answered 4/),
      })),
    });
    const retried = await run('onboardings retry cli-2');
    expect({ exit: retried.exit, stderr: retried.stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining('The API answered 409'),
    });
  }, 90_000);

  it('continues an onboarding that has failed, and answers as the API', async () => {
    const file = writeFile('retry.json', { ...request, externalId: 'cli-retry' });
    await run(`onboardings start ${file}`);
    const stepOf = async () => (await sandbox.readApi('/onboardings/cli-retry'))['step'];
    await expect.poll(stepOf, { timeout: 60_000 }).toBe('AWAITING_VIDEO_CALL');
    const { identificationVerificationId } = await sandbox.readApi('/onboardings/cli-retry');
    sandbox.platform.verifications.endVideoCall(String(identificationVerificationId), 'FAILED');
    await expect.poll(stepOf, { timeout: 60_000 }).toBe('FAILED');
    const { exit, json } = await run('onboardings retry cli-retry --json');
    const { onboardingId, acceptedOn, naturalPersonId } = await sandbox.readApi('/onboardings/cli-retry');
    expect(exit).toBe(0);
    expect(json()).toMatchObject({
      onboardingId,
      acceptedOn,
      naturalPersonId,
      step: expect.not.stringMatching('FAILED'),
    });
    await expect.poll(stepOf, { timeout: 60_000 }).toBe('AWAITING_VIDEO_CALL');
  }, 90_000);

  it('exports all that is stored of a person into a file of its owner, and prints none of it', async () => {
    const { naturalPersonId, identificationVerificationId, onboardingId } = await sandbox.readApi('/onboardings/cli-1');
    const transfer = { transferId: randomUUID(), naturalPersonId, status: 'PROCESSED', note: 'ü' };
    await sandbox.deliver(transfers, transfer);
    const entity = `/entities/transfer/${transfer.transferId}`;
    await expect.poll(async () => (await sandbox.readApi(entity))['status']).toBe('PROCESSED');
    const out = join(directory, 'export.json');
    const exported = await run(`persons export cli-1 --out ${out} --json`);
    expect(exported).toMatchObject({ exit: 0, stderr: '' });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const document = JSON.parse(readFileSync(out, 'utf8'));
    const entityOf = (kind: string, id: unknown) =>
      expect.objectContaining({ kind, id, events: expect.arrayContaining([expect.anything()]) });
    expect(document).toMatchObject({
      externalId: 'cli-1',
      environment: 'local',
      naturalPersonIds: [naturalPersonId],
      onboardings: [{ onboardingId, step: 'COMPLETED' }],
      requests: [],
      entities: expect.arrayContaining([
        entityOf('natural-person', naturalPersonId),
        entityOf('identification-verification', identificationVerificationId),
        entityOf('transfer', transfer.transferId),
      ]),
      keptEvents: [expect.objectContaining({ eventType: transfers, body: JSON.stringify(transfer) })],
    });
    const { events } = await sandbox.readApi(`/entities/natural-person/${naturalPersonId}/timeline`);
    for (const { eventId } of events as readonly { eventId: string }[])
      expect(document.events).toContainEqual(expect.objectContaining({ eventId, body: expect.any(String) }));
    const { length } = [...document.events, ...document.keptEvents];
    expect(exported.json()).toEqual({
      externalId: 'cli-1',
      file: out,
      events: length,
      entities: document.entities.length,
    });
    expect(await run(`persons export cli-1 --out ${out}`)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('exists: nothing was exported'),
    });
  }, 60_000);

  it('exports the request that an onboarding still holds, and a body that comes in parts, to the standard output', async () => {
    const { faults } = sandbox.platform;
    const { id } = faults.place({
      effect: 'ANSWER',
      operation: 'createNaturalPerson',
      status: 503,
      share: 1,
      commits: false,
    });
    const file = writeFile('held.json', { ...request, externalId: 'cli-held' });
    expect(await run(`onboardings start ${file}`)).toMatchObject({ exit: 0 });
    const naturalPersonId = randomUUID();
    // Each quote is eight bytes of the answer of Query.
    const modifiedOn = '2026-01-02T03:02:00Z';
    const large = JSON.stringify({ naturalPersonId, status: 'ACTIVE', modifiedOn, quotes: '"'.repeat(1_000_000) });
    await sandbox.deliver('NATURAL_PERSON_NOTIFICATION', large);
    const entity = `/entities/natural-person/${naturalPersonId}`;
    await expect.poll(async () => (await sandbox.readApi(entity))['status']).toBe('ACTIVE');
    const { events } = await sandbox.readApi(`${entity}/timeline`);
    const [{ eventId } = { eventId: '' }] = events as readonly { eventId: string }[];
    expect(await sandbox.readApi(`/events/${eventId}`)).toHaveProperty('bodyBytes');
    // Not by run: what it prints is personal data.
    const options = ['--natural-person', naturalPersonId];
    const exported = await runDrawbridge(sandbox, ['persons', 'export', 'cli-held', ...options], {
      fetch: permissions.fetch,
    });
    faults.remove(id);
    await run('onboardings cancel cli-held');
    const document = exported.json() as { events: readonly { eventId: string; bodyBase64?: string }[] };
    expect(document).toMatchObject({
      requests: [{ onboardingId: onboardingIdOf('cli-held'), person: { lastName: samplePerson.lastName } }],
    });
    const { bodyBase64 = '' } = document.events.find((event) => event.eventId === eventId) ?? {};
    expect(Buffer.from(bodyBase64, 'base64').toString()).toBe(large);
  }, 60_000);

  it('refuses to export two persons as one', async () => {
    const { naturalPersonId } = await sandbox.readApi('/onboardings/cli-2');
    const { exit, stdout, stderr } = await run(`persons export mistyped --natural-person ${naturalPersonId}`);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain('Nothing was exported');
    expect(stderr).toContain(`drawbridge persons export mistyped --natural-person ${naturalPersonId} --onboarding`);
  });

  it('refuses to erase two persons as one, and names the command that confirms it', async () => {
    const { naturalPersonId } = await sandbox.readApi('/onboardings/cli-2');
    const { exit, stderr } = await run(`persons erase mistyped --natural-person ${naturalPersonId}`);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('Nothing was erased') });
    const onboarding = `--onboarding onboardingId:${onboardingIdOf('cli-2')}`;
    const command = `drawbridge persons erase mistyped --natural-person ${naturalPersonId} ${onboarding}`;
    expect(stderr).toContain(command);
    expect((await fetch(`${sandbox.endpoints.api}/onboardings/mistyped`)).status).toBe(404);
  });

  it('says what it erases and keeps, erases a person, and answers 410 for the person from then on', async () => {
    const { json, stderr } = await run('persons erase cli-2 --json');
    expect(stderr).toMatch(/Stored of cli-2: \d+ events?, 1 onboarding \([A-Z_]+\), 1 person.*; kept: nothing\./);
    expect(json()).toMatchObject({ externalId: 'cli-2', erased: true });
    expect((await fetch(`${sandbox.endpoints.api}/onboardings/cli-2`)).status).toBe(410);
  }, 60_000);

  it('names the invalid fields of a request, and quotes nothing of the person', async () => {
    const file = writeFile('invalid.json', { ...request, externalId: 'cli-3' });
    const { exit, stderr } = await run(`onboardings start ${file} --set person.isUsNationality=CANARY`);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('#/person/isUsNationality') });
    expect(stderr).not.toContain('CANARY');
    for (const commandLine of ['onboardings start /nowhere.json', 'onboardings start', 'persons update cli-1'])
      expect(await run(commandLine)).toMatchObject({ exit: 2, stderr: expect.stringContaining('Next: ') });
  });
});

describe('drawbridge audit', () => {
  it('has who read, exported or erased a person, when, and the ids', async () => {
    const actions = (await run('audit --json')).jsonLines();
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const about = { onboardingId: onboardingIdOf('cli-2'), naturalPersonIds: [expect.any(String)] };
    for (const [action, fields] of [
      ['export requested', { ...about, onboardingId: onboardingIdOf('cli-1') }],
      ['onboarding request read', { onboardingId: onboardingIdOf('cli-held') }],
      ['onboarding start requested', { onboardingId: onboardingIdOf('cli-2') }],
      ['onboarding cancel requested', { onboardingId: onboardingIdOf('cli-2') }],
      ['onboarding retry requested', { onboardingId: onboardingIdOf('cli-unknown') }],
      ['person update requested', { onboardingId: onboardingIdOf('cli-1') }],
      ['erasure requested', about],
      ['person erased', about],
    ] as const)
      expect(actions).toContainEqual({ at, action, accessKeyId: 'laptop', ...fields });
  });

  it.each([
    'persons erase cli-1',
    'persons export cli-1',
    'persons update cli-1 --set profession=Baker',
    'onboardings start --set person.firstName=Erika',
    'onboardings cancel cli-1',
    'onboardings retry cli-1 cli-2',
  ])('prevents what the log cannot record: %s', async (commandLine) => {
    expect(await actionLog.whileAway((deps) => run(commandLine, deps), permissions.fetch)).toEqual(nothingDone);
  });
});

describe('drawbridge policy', () => {
  it('allows an operator all that the commands of this file did', async () => {
    expect(permissions.deniedBy(await readOperatorPolicies(sandbox))).toEqual([]);
  });
});

describe('every command of this file', () => {
  it('prints no personal data', () => {
    const text = printed.map(({ stdout, stderr }) => stdout + stderr).join('');
    for (const personal of [samplePerson.lastName, 'Leuchtturmwärterin']) expect(text).not.toContain(personal);
  });
});

describe('an erasure', () => {
  /** The answer once the bus has the last events of the onboarding. */
  const erase = async (externalId: string) => {
    const send = async () =>
      (await fetch(`${sandbox.endpoints.api}/persons/${externalId}`, { method: 'DELETE' })).status;
    let status = 0;
    await expect.poll(async () => (status = await send())).not.toBe(202);
    return status;
  };

  /** Onboards a person. Returns the platform's id of the person. */
  async function onboardByApi(externalId: string): Promise<string> {
    const identification = { ...sampleIdentification, mode: 'supplied' };
    await requestOnboarding(sandbox.endpoints.api, externalId, { identification });
    const onboarding = () => sandbox.readApi(`/onboardings/${externalId}`);
    await expect.poll(async () => (await onboarding())['step'], { timeout: 90_000 }).toBe('COMPLETED');
    return String((await onboarding())['naturalPersonId']);
  }

  it('deletes the events that a timeline keeps in items of their own, and store deletes what came in between', async () => {
    const { host, platform, endpoints } = sandbox;
    const naturalPersonId = await onboardByApi('erased');
    for (let times = 1; times <= 5; times += 1)
      for (const status of ['SUSPENDED', 'ACTIVE'] as const) {
        await platform.clock.advance(1);
        platform.persons.changeStatus(naturalPersonId, status);
      }
    await expect.poll(() => platform.deliveries.waiting()).toBe(0);
    await waitUntilStored(host);
    calls.length = 0;
    expect(await erase('erased')).toBe(204);
    expect(calls).toContain('erase-person DeleteItem');

    const key = { kind: 'natural-person', id: naturalPersonId } as const;
    const entry = { eventId: 'f'.repeat(64), receivedOn: '2026-01-01T00:00:00Z', effect: 'duplicate' } as const;
    await host.clients.dynamodb.send(
      new PutItemCommand({ TableName: endpoints.tables['entities'], Item: writeEvent(key, entry) }),
    );
    platform.persons.changeStatus(naturalPersonId, 'SUSPENDED');
    await expect.poll(() => calls).toContain('store DeleteItem');
  });

  it('has store erase what named a person before a late webhook says that the person is erased', async () => {
    const { host } = sandbox;
    await onboardByApi('erased-early');
    expect(await erase('erased-early')).toBe(204);
    const naturalPersonId = randomUUID();
    await sandbox.deliver('CUSTOMER_NOTIFICATION', { customerId: randomUUID(), naturalPersonId });
    await waitUntilStored(host);
    calls.length = 0;
    await sandbox.deliver('NATURAL_PERSON_NOTIFICATION', {
      naturalPersonId,
      externalId: 'erased-early',
      status: 'ACTIVE',
    });
    await expect.poll(() => calls).toContain('store DeleteItem');
  });

  it('reads the pieces of undelivered webhooks that drain kept whole', async () => {
    const eventType = 'NATURAL_PERSON_NOTIFICATION';
    sandbox.platform.madeUpDeliveries.add({ count: 1, malformed: 1, eventType, status: 'ACTIVE' });
    await refreshToken(sandbox.host);
    await run('drain');
    await onboardByApi('erased-later');
    calls.length = 0;
    expect(await erase('erased-later')).toBe(204);
    expect(calls).toContain('erase-person GetItem events');
  });
});
