import { randomUUID } from 'node:crypto';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { NaturalPersonStatus } from '#sandbox/platform/persons/natural-person-status.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { drainAll, refreshToken, runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { type GapReport, gapReport } from '#shared/api/reconcile-answers.ts';
import { usualLanes } from '#shared/aws/list/lanes.ts';
import { type EventRow, newEventRow } from '#shared/events/event-row.ts';
import { deflateBody, inflateBody } from '#shared/events/webhook-delivery.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { requestOnboarding } from './call-api.ts';
import { passGracePeriod } from './change-host.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';
import { runDrawbridge } from './run-drawbridge.ts';

const pageSize = 8;
/** In seconds. */
const day = 86_400;

let sandbox: HostedSandbox;
/** What a test does to the AWS calls of the functions. */
let onAwsCall: (moment: AwsCallMoment) => void = () => undefined;

beforeAll(async () => {
  sandbox = await startHostedSandbox({
    onAwsCall: (moment) => onAwsCall(moment),
    platform: {
      settings: {
        acceptSelfBeforeActive: true,
        activationsAfter: 30 * day,
        deliveriesLost: 1,
        deliveryRetriesAfter: [],
      },
    },
    platformProfile: { pageSize },
  });
}, 120_000);
afterAll(() => sandbox.close());

const entity = z.looseObject({ status: z.string(), modifiedOn: z.string() }).partial();
const named = z.looseObject({ SecretId: z.string().optional(), TableName: z.string().optional() });

/** Records the AWS calls of the functions from here on: `drain GetSecretValue drawbridge-laptop-data-webhook-secret`. */
function recordCalls(): readonly string[] {
  const calls: string[] = [];
  onAwsCall = ({ when, caller, operation, input }) => {
    if (when !== 'after' || caller === undefined) return;
    const { SecretId, TableName } = named.parse(input());
    calls.push(`${caller} ${operation} ${SecretId ?? TableName ?? ''}`);
  };
  return calls;
}

const createPerson = (status: NaturalPersonStatus) => makeReadyPerson(sandbox.platform, {}, status).naturalPersonId;

/** Reads the state of an entity in Drawbridge; undefined if there is none. */
async function readEntity(kind: string, id: string) {
  const answer = await fetch(`${sandbox.endpoints.api}/entities/${kind}/${id}`);
  return answer.status === 404 ? undefined : entity.parse(await answer.json());
}

/** Runs `drawbridge reconcile` on the hosted stacks. */
async function reconcile(mode: 'report' | 'repair', ...options: readonly string[]) {
  const { exit, stdout, stderr } = await runDrawbridge(sandbox, ['reconcile', mode, ...options]);
  return { exit, printed: stdout + stderr };
}

describe('reconcile, when every webhook about a person was lost', () => {
  /** More than a page of the platform. */
  const persons = pageSize + 2;

  /** What `Reconcile` answers to the request of the command. */
  async function invokeReport(): Promise<GapReport> {
    const answer = await fetch(`${sandbox.endpoints.control}/functions/reconcile/invocations`, {
      method: 'POST',
      body: '{"mode":"report"}',
    });
    return gapReport.parse(await answer.json());
  }

  /** Reads the state of each person on the platform and in Drawbridge. */
  async function readStates() {
    const { data } = sandbox.platform.persons.list({ limit: 100 });
    return Promise.all(
      data.map(async ({ naturalPersonId: id, naturalPersonStatus: status, modifiedOn }) => {
        const ours = await readEntity('natural-person', id);
        return {
          platform: { status, modifiedOn },
          ours: ours && { status: ours.status, modifiedOn: ours.modifiedOn },
        };
      }),
    );
  }

  it('reports the persons, repairs them to the state of the platform, and then finds no drift', async () => {
    const ids = Array.from({ length: persons }, () => createPerson('ACTIVE'));
    await passGracePeriod(sandbox);
    expect((await readStates()).filter(({ ours }) => ours !== undefined)).toEqual([]);

    const counts = (repaired: number) => new RegExp(`natural-person +${persons} +${persons} +${repaired} `);
    const report = await reconcile('report');
    expect(report).toMatchObject({ exit: 1, printed: expect.stringMatching(counts(0)) });
    for (const id of ids) expect(report.printed).toContain(id);
    const asJson = await reconcile('report', '--json');
    const { beganOn: _, ...answered } = await invokeReport();
    expect({ exit: asJson.exit, report: JSON.parse(asJson.printed) }).toMatchObject({ exit: 1, report: answered });
    expect(new Set(answered.gaps.map(({ id }) => id))).toEqual(new Set(ids));
    expect((await readStates()).filter(({ ours }) => ours !== undefined)).toEqual([]);

    const repair = await reconcile('repair');
    expect(repair).toMatchObject({ exit: 1, printed: expect.stringMatching(counts(persons)) });
    await expect
      .poll(async () => (await readStates()).filter(({ platform, ours }) => ours?.modifiedOn !== platform.modifiedOn))
      .toEqual([]);
    for (const { platform, ours } of await readStates()) expect(ours).toEqual(platform);

    expect(await reconcile('report')).toMatchObject({
      exit: 0,
      printed: expect.stringContaining('No compared entity has drifted.'),
    });
    for (const { lastName, contact } of ids.map((id) => sandbox.platform.persons.get(id)))
      for (const canary of [lastName, contact?.email ?? '']) expect(sandbox.log()).not.toContain(canary);
  });

  it('repairs a person on its schedule, postpones the person while the platform answers the same, and logs no id', async () => {
    const id = createPerson('PENDING');
    // The list of persons is due again.
    await sandbox.platform.clock.advance(day);
    await refreshToken(sandbox.host);
    await runSchedule(sandbox.host, 'reconcile-runs');
    await expect.poll(async () => (await readStates()).filter(({ ours }) => ours === undefined)).toEqual([]);
    const calls = recordCalls();
    // Longer than `readBackAfterHours`.
    await sandbox.platform.clock.advance(7 * 3_600);
    await refreshToken(sandbox.host);
    await runSchedule(sandbox.host, 'reconcile-runs');
    expect(calls).toContainEqual(expect.stringMatching(/^reconcile UpdateItem .*-entities$/));
    await expect.poll(() => sandbox.log()).toContain('reconciliation finished');
    expect(sandbox.log()).not.toContain(id);
  });

  it('lists among all events, on its schedule, what release 0.2.0 has listed by its type only', async () => {
    const { clients, blueprint } = sandbox.host;
    const eventId = 'a'.repeat(64);
    const eventType = 'TRANSFER_NOTIFICATION';
    const receivedOn = sandbox.platform.clock.now().toISOString();
    const delivery = { deliveryId: 'd', eventType, receivedOn, deflatedBody: deflateBody(Buffer.from('{}')) };
    const lanes = { types: [eventType], lanes: usualLanes };
    const expiresAt = Math.ceil(Date.parse(receivedOn) / 1_000) + 2 * day;
    const row = newEventRow({ eventId, eventType, quarantineReason: undefined }, delivery, expiresAt, lanes);
    const { receivedLane: _, ...Item } = row;
    const TableName = blueprint.tables.find(({ name }) => name === 'events')?.physicalName;
    await clients.dynamodb.send(new PutItemCommand({ TableName, Item }));
    // The last walk begins a day after the first one.
    await sandbox.platform.clock.advance(day);
    await refreshToken(sandbox.host);
    await runSchedule(sandbox.host, 'reconcile-runs');
    const { items } = await sandbox.readApi('/events?limit=200');
    expect(items).toContainEqual(expect.objectContaining({ eventId }));
    const stored = await clients.dynamodb.send(new GetItemCommand({ TableName, Key: { eventId: { S: eventId } } }));
    expect(stored.Item).toMatchObject({ receivedLane: { S: 'a' } });
  });
});

describe('reconcile, when every webhook about a verification was lost', () => {
  const kind = 'identification-verification';

  async function readOnboarding(externalId: string) {
    return z
      .looseObject({ step: z.string(), identificationVerificationId: z.string().optional() })
      .parse(await sandbox.readApi(`/onboardings/${externalId}`));
  }

  it('reports and repairs a verification of an open onboarding, and again after its status has changed', async () => {
    const externalId = 'lost-webhooks';
    expect((await requestOnboarding(sandbox.endpoints.api, externalId)).status).toBe(202);
    // No webhook comes, so that the onboarding waits until the waker sends it.
    const lookAgain = async () => {
      await sandbox.advance(60);
      return readOnboarding(externalId);
    };
    await expect.poll(lookAgain, { timeout: 60_000, interval: 500 }).toMatchObject({ step: 'AWAITING_VIDEO_CALL' });
    const { identificationVerificationId: id = '' } = await readOnboarding(externalId);
    expect(await readEntity(kind, id)).toBeUndefined();
    await passGracePeriod(sandbox);

    const report = await reconcile('report');
    expect(report).toMatchObject({ exit: 1, printed: expect.stringMatching(new RegExp(`drifted +${kind} +${id} `)) });
    expect(await reconcile('repair')).toMatchObject({ exit: 1 });
    await expect.poll(() => readEntity(kind, id)).toMatchObject({ status: 'PENDING' });
    expect(await reconcile('report')).toMatchObject({ exit: 0 });

    sandbox.platform.verifications.endVideoCall(id, 'APPROVED');
    await passGracePeriod(sandbox);
    const again = await reconcile('report');
    expect(again).toMatchObject({ exit: 1, printed: expect.stringContaining(id) });
    expect(await reconcile('repair')).toMatchObject({ exit: 1 });
    await expect.poll(() => readEntity(kind, id)).toMatchObject({ status: 'APPROVED' });
    expect(sandbox.log()).not.toContain(samplePerson.lastName);
  }, 180_000);

  it('reads the latest webhooks of a verification that no onboarding has, to learn whose it is', async () => {
    const { host, platform } = sandbox;
    platform.settings.change({ deliveriesLost: 0 });
    const naturalPersonId = createPerson('ACTIVE');
    const identificationVerificationId = randomUUID();
    // Untimed, so that they leave the status open; and more of them than the row of an entity keeps.
    for (let times = 1; times <= 10; times += 1) {
      const verification = { identificationVerificationId, naturalPersonId, status: 'PENDING', times };
      const body = { identificationVerification: verification };
      await sandbox.deliver('IDENTIFICATION_VERIFICATION_NOTIFICATION', body);
    }
    await waitUntilStored(host);
    const timeline = `/entities/${kind}/${identificationVerificationId}/timeline`;
    expect((await sandbox.readApi(timeline))['events']).toHaveLength(10);
    const calls = recordCalls();
    await reconcile('report');
    expect(calls).toContainEqual(expect.stringMatching(/^reconcile GetItem .*events$/));
  });
});

describe('drain after an outage', () => {
  beforeAll(async () => {
    sandbox.platform.settings.change({ deliveriesLost: 0 });
    await refreshToken(sandbox.host);
    await waitUntilStored(sandbox.host);
  });

  it('stores each undelivered webhook once, although drain is killed between a store and its hand-over', async () => {
    const { host, platform } = sandbox;
    const lost = ['outage-1', 'outage-2'].map((transferId) => JSON.stringify({ transferId, status: 'PROCESSED' }));
    host.setReachable(false);
    for (const body of lost)
      expect(await sandbox.deliver('TRANSFER_NOTIFICATION', body)).toMatchObject({ outcome: 'undelivered' });
    host.setReachable(true);

    const calls = recordCalls();
    const record = onAwsCall;
    onAwsCall = (moment) => {
      record(moment);
      if (moment.when !== 'after' || moment.caller !== 'drain' || moment.operation !== 'UpdateItem') return;
      onAwsCall = record;
      host.functions.find('drain')?.kill();
    };
    await drainAll(sandbox);
    expect(platform.undelivered.count()).toBe(0);
    const bodyOf = ({ deflatedBody }: EventRow) => Buffer.from(inflateBody(deflatedBody)).toString();
    const stored = (await readAllEvents(host)).filter((row) => lost.includes(bodyOf(row)));
    expect(stored.map(({ deliveries }) => deliveries)).toEqual([1, 1]);
    // What was stored before the kill is handed over once the store has said that it counts the delivery.
    expect(calls).toContainEqual(expect.stringMatching(/^drain GetItem .*events$/));
    for (const id of ['outage-1', 'outage-2'])
      await expect.poll(() => readEntity('transfer', id)).toMatchObject({ status: 'PROCESSED' });
  }, 60_000);

  it('reads the webhook secret to recognize a webhook that failed at another URL', async () => {
    const url = 'https://other.partner.example/hooks';
    const webhook = { eventType: 'TRANSFER_NOTIFICATION', status: 'PROCESSED', url };
    sandbox.platform.madeUpDeliveries.add({ count: 1, malformed: 0, ...webhook });
    await refreshToken(sandbox.host);
    const calls = recordCalls();
    await runSchedule(sandbox.host, 'drain-runs');
    expect(calls).toContainEqual(expect.stringMatching(/^drain GetSecretValue .*webhook-secret/));
  });
});
