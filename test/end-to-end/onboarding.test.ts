import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';
import { videoCallsAt } from '#sandbox/platform/verifications/identification-verification-schema.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { onboardingEvent } from '#shared/onboarding/onboarding-event.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { sampleIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';

/** Stands in every text of a request: it must stand nowhere else. */
const canary = 'Kanarienvogel';
const { externalId: _, ...sample } = samplePerson;
const person = {
  ...sample,
  firstName: `${canary} Erika`,
  lastName: canary,
  birthPlace: canary,
  profession: canary,
  mainAddress: { street: `${canary} 1`, city: canary },
  contact: { email: `${canary}@partner.example` },
};
const identifications = {
  video: { mode: 'video', redirectUrl: `https://partner.example/${canary}` },
  supplied: { ...sampleIdentification, mode: 'supplied', documentNumber: canary, documentIssuer: canary },
  none: { mode: 'none' },
} as const;

let sandbox: HostedSandbox;
let eventBridge: EventBridgeClient;
/** What the functions handed to the bus and to queues, as it was sent. */
const handedOver: { readonly caller: string; readonly operation: string; readonly text: string }[] = [];
/** What befalls an AWS call. */
let befall: (moment: AwsCallMoment) => void = () => undefined;

beforeAll(async () => {
  sandbox = await startHostedSandbox({
    platform: { settings: { acceptSelfBeforeActive: true, videoCallsAfter: 1 } },
    onAwsCall: (moment) => {
      const { when, operation, caller, input } = moment;
      befall(moment);
      if (when === 'after' && caller !== undefined && /^(PutEvents|SendMessage)/.test(operation))
        handedOver.push({ caller, operation, text: JSON.stringify(input()) });
    },
  });
  const { awsOrigin: endpoint, region } = sandbox.host.place;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  eventBridge = new EventBridgeClient({ endpoint, region, credentials });
}, 120_000);
afterAll(async () => {
  eventBridge?.destroy();
  await sandbox?.close();
});

function requestOf(name: string, mode: keyof typeof identifications) {
  return { externalId: `${canary}-${name}@partner.example`, person, identification: identifications[mode] };
}

type Answer = { readonly status: number; readonly json: Readonly<Record<string, unknown>> };

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${sandbox.host.place.apiOrigin}/onboardings${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: answer.status, json: JSON.parse((await answer.text()) || '{}') };
}

const show = (externalId: string) => call('GET', `/${encodeURIComponent(externalId)}`);

async function comesTo(externalId: string, step: string) {
  await expect.poll(() => show(externalId), { timeout: 90_000 }).toMatchObject({ status: 200, json: { step } });
  return (await show(externalId)).json;
}

const personsOf = (externalId: string) =>
  sandbox.platform.persons.list({ limit: 1_000 }).data.filter((one) => one.externalId === externalId);

const putEvents = z.object({ Entries: z.array(z.object({ DetailType: z.string(), Detail: z.string() })) });

/** Each event of an onboarding that was published, the first first; an event that came again, once. */
function publishedOf(externalId: string) {
  const events = handedOver
    .filter(({ operation }) => operation === 'PutEvents')
    .flatMap(({ text }) => putEvents.parse(JSON.parse(text)).Entries)
    .filter(({ DetailType }) => DetailType.startsWith('Onboarding'))
    .map(({ DetailType, Detail }) => onboardingEvent.parse({ detailType: DetailType, detail: JSON.parse(Detail) }))
    .filter(({ detail }) => detail.onboardingId === onboardingIdOf(externalId));
  return [...new Map(events.map((event) => [JSON.stringify(event), event])).values()];
}

function stepsOf(externalId: string) {
  return publishedOf(externalId).flatMap(({ detail }) => ('step' in detail ? [detail.step] : []));
}

async function publish(detail: unknown): Promise<void> {
  const entry = { Source: 'partner.app', DetailType: 'OnboardingRequested', Detail: JSON.stringify(detail) };
  const Entries = [{ ...entry, EventBusName: 'drawbridge-sandbox' }];
  expect(await eventBridge.send(new PutEventsCommand({ Entries }))).toMatchObject({ FailedEntryCount: 0 });
}

describe('issue 6, on the hosted stacks: a person goes from a form to an active customer without anyone watching', () => {
  it('by video: it is published that the call is ready, and the rest follows from the call', async () => {
    const request = requestOf('video', 'video');
    expect(await call('POST', '', request)).toMatchObject({
      status: 202,
      json: { step: 'REQUESTED', onboardingId: onboardingIdOf(request.externalId) },
    });
    const { naturalPersonId } = await comesTo(request.externalId, 'COMPLETED');
    expect(personsOf(request.externalId)).toMatchObject([{ naturalPersonId, naturalPersonStatus: 'ACTIVE' }]);
    expect(sandbox.platform.verifications.of(String(naturalPersonId))).toHaveLength(1);
    await expect
      .poll(() => publishedOf(request.externalId).map(({ detailType }) => detailType))
      .toEqual(expect.arrayContaining(['OnboardingAccepted', 'OnboardingIdentificationReady', 'OnboardingCompleted']));
  });

  it('identified by the partner', async () => {
    const request = requestOf('supplied', 'supplied');
    expect(await call('POST', '', request)).toMatchObject({ status: 202 });
    await comesTo(request.externalId, 'COMPLETED');
    const [found, ...others] = personsOf(request.externalId);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ naturalPersonStatus: 'ACTIVE' });
    expect(found?.naturalPersonIdentifications).toHaveLength(1);
    await expect
      .poll(() => stepsOf(request.externalId))
      .toEqual([
        'REQUESTED',
        'CREATING_PERSON',
        'AWAITING_CHECKS',
        'SENDING_IDENTIFICATION',
        'AWAITING_ACTIVATION',
        'COMPLETED',
      ]);
  });

  it('not identified: once the platform has made the person ACTIVE', async () => {
    const request = requestOf('none', 'none');
    expect(await call('POST', '', request)).toMatchObject({ status: 202 });
    const { naturalPersonId } = await comesTo(request.externalId, 'AWAITING_ACTIVATION');
    sandbox.platform.persons.changeStatus(String(naturalPersonId), 'PENDING');
    await comesTo(request.externalId, 'COMPLETED');
    expect(personsOf(request.externalId)).toMatchObject([{ naturalPersonStatus: 'ACTIVE' }]);
  });

  it('section 5: where the platform refuses a person that is not ACTIVE yet, it waits, and goes on once it is', async () => {
    const request = requestOf('refused', 'supplied');
    sandbox.platform.settings.change({ acceptSelfBeforeActive: false });
    await call('POST', '', request);
    const { naturalPersonId } = await comesTo(request.externalId, 'AWAITING_REQUESTOR');
    sandbox.platform.settings.change({ acceptSelfBeforeActive: true });
    // What was refused is sent again once it can have no effect any more: settle.identification.
    await sandbox.platform.clock.advance(60);
    sandbox.platform.persons.changeStatus(String(naturalPersonId), 'PENDING');
    await comesTo(request.externalId, 'COMPLETED');
  });

  it('is completed by a retry as soon as the platform accepts the requestor, without any time that passes', async () => {
    const request = requestOf('retried', 'video');
    sandbox.platform.settings.change({ acceptSelfBeforeActive: false });
    await call('POST', '', request);
    const { reasons } = await comesTo(request.externalId, 'AWAITING_REQUESTOR');
    expect(reasons).toMatchObject([{ remedy: expect.stringContaining('set onboarding.requestor in cdk.json') }]);
    const retry = `/${encodeURIComponent(request.externalId)}/retry`;
    expect(await call('POST', retry)).toMatchObject({ status: 202 });
    await comesTo(request.externalId, 'AWAITING_REQUESTOR');
    sandbox.platform.settings.change({ acceptSelfBeforeActive: true });
    expect(await call('POST', retry)).toMatchObject({ status: 202 });
    await comesTo(request.externalId, 'COMPLETED');
  });

  it('woken by what the platform tells of the person, and not only by the time', () => {
    const wakes = handedOver.filter(({ caller, text }) => caller === 'store' && text.includes('onboardingId'));
    expect(wakes.length).toBeGreaterThan(0);
  });
});

describe('issue 6, on the hosted stacks: requests', () => {
  it('the same one twice is one onboarding, of one person; with other data it is a 409 that says what differs', async () => {
    const request = requestOf('twice', 'supplied');
    const answers = await Promise.all([call('POST', '', request), call('POST', '', request)]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(await call('POST', '', { ...request, person: { ...person, birthPlace: 'Köln' } })).toEqual({
      status: 409,
      json: {
        message: expect.any(String),
        step: expect.any(String),
        remedy: expect.stringContaining('cancel it first'),
        problems: [{ field: 'person.birthPlace', reason: expect.any(String) }],
      },
    });
    await comesTo(request.externalId, 'COMPLETED');
    expect(await call('POST', '', request)).toMatchObject({ status: 202, json: { step: 'COMPLETED' } });
    expect(personsOf(request.externalId)).toHaveLength(1);
  });

  it('a broken one is a 400 that names its fields, and reaches nobody', async () => {
    const request = requestOf('broken', 'none');
    const broken = { ...request, person: { ...person, birthDay: canary, gender: undefined } };
    const { status, json } = await call('POST', '', broken);
    const { problems } = z.object({ problems: z.array(z.object({ field: z.string() })) }).parse(json);
    expect([status, problems.map(({ field }) => field).toSorted()]).toEqual([
      400,
      ['person.birthDay', 'person.gender'],
    ]);
    expect(JSON.stringify(json)).not.toContain(canary);
    expect(await show(request.externalId)).toMatchObject({ status: 404 });
    expect(personsOf(request.externalId)).toEqual([]);
  });

  it('an operator cancels one: it cannot be retried, and the same request begins it anew', async () => {
    const request = requestOf('canceled', 'none');
    const path = `/${encodeURIComponent(request.externalId)}`;
    await call('POST', '', request);
    await comesTo(request.externalId, 'AWAITING_ACTIVATION');
    expect(await call('POST', `${path}/cancel`)).toMatchObject({ status: 202, json: { step: 'CANCELED' } });
    await expect.poll(() => stepsOf(request.externalId)).toContain('CANCELED');
    expect(await call('POST', `${path}/retry`)).toMatchObject({
      status: 409,
      json: { remedy: 'Send the request again: the onboarding starts again.' },
    });
    expect(await call('POST', '', request)).toMatchObject({ status: 202, json: { step: 'REQUESTED' } });
    await comesTo(request.externalId, 'AWAITING_ACTIVATION');
    expect(personsOf(request.externalId)).toHaveLength(1);
  });

  it('an update of the person reaches the platform', async () => {
    const request = requestOf('updated', 'supplied');
    const path = `/${encodeURIComponent(request.externalId)}/person`;
    await call('POST', '', request);
    await comesTo(request.externalId, 'COMPLETED');
    const update = { naturalPersonUpdateData: { contact: { phone: '+4930123456' } } };
    expect(await call('PATCH', path, update)).toMatchObject({ status: 202 });
    await expect.poll(() => personsOf(request.externalId)[0]?.contact?.phone).toBe('+4930123456');
    expect(await call('PATCH', path, { naturalPersonUpdateData: { shoeSize: 38 } })).toMatchObject({ status: 400 });
  });
});

describe('issue 6, on the hosted stacks: an event on the bus does the same', () => {
  it('as POST /onboardings, also where DynamoDB breaks off and the function is killed', async () => {
    const request = requestOf('event', 'supplied');
    let failures = 0;
    befall = ({ when, operation, caller }) => {
      if (caller !== 'request-event' || operation !== 'PutItem' || failures === 2) return;
      failures += 1;
      if (failures === 1) throw new Error(`The connection breaks ${when} the call.`);
      sandbox.host.functions.find('request-event')?.kill();
    };
    await publish(request);
    await comesTo(request.externalId, 'COMPLETED');
    befall = () => undefined;
    expect(failures).toBe(2);
    expect(personsOf(request.externalId)).toMatchObject([{ naturalPersonStatus: 'ACTIVE' }]);
  });

  it('or is published as rejected, with its fields', async () => {
    const request = requestOf('rejected', 'none');
    await publish({ ...request, person: { ...person, birthCountry: canary } });
    await expect
      .poll(() => publishedOf(request.externalId))
      .toMatchObject([
        {
          detailType: 'OnboardingRejected',
          detail: { outcome: 'INVALID', problems: [{ field: 'person.birthCountry' }] },
        },
      ]);
    expect(await show(request.externalId)).toMatchObject({ status: 404 });
  });
});

describe('issue 6, on the hosted stacks: erasing a person removes it from every table that holds it', () => {
  const erase = (externalId: string) =>
    fetch(`${sandbox.host.place.apiOrigin}/persons/${encodeURIComponent(externalId)}`, { method: 'DELETE' });
  const personalEvents = async (naturalPersonId: unknown) => {
    const rows = await readAllEvents(sandbox.host);
    return rows.filter(({ deflatedBody }) =>
      Buffer.from(inflateBody(deflatedBody)).toString().includes(String(naturalPersonId)),
    );
  };

  it('and a late event does not bring it back', async () => {
    const request = requestOf('erased', 'supplied');
    await call('POST', '', request);
    await comesTo(request.externalId, 'AWAITING_ACTIVATION');
    expect((await erase(request.externalId)).status).toBe(409);
    const { naturalPersonId } = await comesTo(request.externalId, 'COMPLETED');
    await waitUntilStored(sandbox.host);
    expect(await personalEvents(naturalPersonId)).not.toEqual([]);
    expect((await erase(request.externalId)).status).toBe(204);
    expect(await personalEvents(naturalPersonId)).toEqual([]);
    expect(await show(request.externalId)).toMatchObject({ status: 410 });
    expect(await call('POST', '', request)).toMatchObject({ status: 410 });

    sandbox.platform.persons.changeStatus(String(naturalPersonId), 'SUSPENDED');
    await expect.poll(() => sandbox.platform.deliveries.waiting()).toBe(0);
    await waitUntilStored(sandbox.host);
    expect(await personalEvents(naturalPersonId)).toEqual([]);
    const entity = `${sandbox.host.place.apiOrigin}/entities/natural-person/${naturalPersonId}`;
    expect((await fetch(entity)).status).toBe(404);
  });
});

describe('promise 8, on the hosted stacks: no personal data of all that', () => {
  it('stands in a log line, an event of the bus, or a message of a queue', () => {
    const log = sandbox.log();
    expect(log).toContain('onboarding accepted');
    expect(log).not.toContain(canary);
    expect(new Set(handedOver.map(({ operation }) => operation))).toEqual(new Set(['PutEvents', 'SendMessage']));
    expect(handedOver.filter(({ text }) => text.includes(canary))).toEqual([]);
  });

  it('nor does the URL of a video call', () => {
    expect(handedOver.some(({ text }) => text.includes('OnboardingIdentificationReady'))).toBe(true);
    expect(handedOver.filter(({ text }) => text.includes(videoCallsAt))).toEqual([]);
    expect(sandbox.log()).not.toContain(videoCallsAt);
  });

  it('nor in a dead-letter queue: all of them are empty', async () => {
    const { blueprint, clients } = sandbox.host;
    const deadLetters = blueprint.queues.filter(({ name }) => /dlq|missed-runs/.test(name));
    expect(deadLetters.map(({ name }) => name)).toContain('onboarding-dlq');
    for (const { name, ref } of deadLetters)
      expect(await readQueueDepth(clients.sqs, ref), name).toEqual({ visible: 0, inFlight: 0 });
  });
});
