import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';
import { videoCallsAt } from '#sandbox/platform/verifications/identification-verification-schema.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { onboardingEvent } from '#shared/onboarding/onboarding-event.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { sampleIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { type HostedSandbox, quickStep, startHostedSandbox } from './hosted-sandbox.ts';

/** Is in every text of a request, and must appear nowhere else. */
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
/** What the functions sent to the bus and to queues. */
const sent: { readonly caller: string; readonly operation: string; readonly text: string }[] = [];
/** What a test does to the AWS calls of the functions. */
let interfere: (moment: AwsCallMoment) => void = () => undefined;

beforeAll(async () => {
  sandbox = await startHostedSandbox({
    platform: { settings: { acceptSelfBeforeActive: true, videoCallsAfter: quickStep } },
    onAwsCall: (moment) => {
      const { when, operation, caller, input } = moment;
      interfere(moment);
      if (when === 'after' && caller !== undefined && /^(PutEvents|SendMessage)/.test(operation))
        sent.push({ caller, operation, text: JSON.stringify(input()) });
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

const read = (externalId: string) => call('GET', `/${encodeURIComponent(externalId)}`);

async function reaches(externalId: string, step: string) {
  await expect.poll(() => read(externalId), { timeout: 90_000 }).toMatchObject({ status: 200, json: { step } });
  return (await read(externalId)).json;
}

const personsOf = (externalId: string) =>
  sandbox.platform.persons.list({ limit: 1_000 }).data.filter((found) => found.externalId === externalId);

const putEvents = z.object({ Entries: z.array(z.object({ DetailType: z.string(), Detail: z.string() })) });

/** Each published event of an onboarding, in order and without duplicates. */
function publishedOf(externalId: string) {
  const events = sent
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
  const Entries = [{ ...entry, EventBusName: 'drawbridge-laptop' }];
  expect(await eventBridge.send(new PutEventsCommand({ Entries }))).toMatchObject({ FailedEntryCount: 0 });
}

describe('an onboarding', () => {
  it('with a video call publishes that the call is ready, and completes after the call', async () => {
    const request = requestOf('video', 'video');
    const { settings, verifications } = sandbox.platform;
    // A person calls once the link is known. By a timer, the call could end earlier on a busy machine.
    const { videoCallsAfter } = settings.read();
    settings.change({ videoCallsAfter: null });
    try {
      expect(await call('POST', '', request)).toMatchObject({
        status: 202,
        json: { step: 'REQUESTED', onboardingId: onboardingIdOf(request.externalId) },
      });
      const { naturalPersonId } = await reaches(request.externalId, 'AWAITING_VIDEO_CALL');
      const ofPerson = verifications.of(String(naturalPersonId));
      expect(ofPerson).toHaveLength(1);
      for (const { identificationVerificationId: id } of ofPerson) verifications.endVideoCall(id, 'APPROVED');
    } finally {
      settings.change({ videoCallsAfter });
    }
    const { naturalPersonId } = await reaches(request.externalId, 'COMPLETED');
    expect(personsOf(request.externalId)).toMatchObject([{ naturalPersonId, naturalPersonStatus: 'ACTIVE' }]);
    expect(verifications.of(String(naturalPersonId))).toHaveLength(1);
    await expect
      .poll(() => publishedOf(request.externalId).map(({ detailType }) => detailType))
      .toEqual(expect.arrayContaining(['OnboardingAccepted', 'OnboardingIdentificationReady', 'OnboardingCompleted']));
  });

  it('is listed at its step, and is read by the id of the list', async () => {
    const { externalId, ...request } = requestOf('listed', 'video');
    await call('POST', '', { externalId, ...request });
    const { onboardingId } = await reaches(externalId, 'COMPLETED');
    const from = encodeURIComponent(new Date(0).toISOString());
    const { status, json } = await call('GET', `?step=COMPLETED&updatedFrom=${from}&limit=200`);
    expect(status).toBe(200);
    expect(json['items']).toContainEqual(expect.objectContaining({ onboardingId, step: 'COMPLETED' }));
    expect(JSON.stringify(json)).not.toContain(canary);
    expect(await call('GET', `/onboardingId:${onboardingId}`)).toEqual(await read(externalId));
    expect(await call('GET', '?step=NONE')).toMatchObject({ status: 400, json: { errors: [{ parameter: 'step' }] } });
  });

  it('with an identification by the partner completes with one identification on the platform', async () => {
    const request = requestOf('supplied', 'supplied');
    expect(await call('POST', '', request)).toMatchObject({ status: 202 });
    await reaches(request.externalId, 'COMPLETED');
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

  it('without identification completes when the platform makes the person ACTIVE', async () => {
    const request = requestOf('none', 'none');
    expect(await call('POST', '', request)).toMatchObject({ status: 202 });
    const { naturalPersonId } = await reaches(request.externalId, 'AWAITING_ACTIVATION');
    sandbox.platform.persons.changeStatus(String(naturalPersonId), 'PENDING');
    await reaches(request.externalId, 'COMPLETED');
    expect(personsOf(request.externalId)).toMatchObject([{ naturalPersonStatus: 'ACTIVE' }]);
  });

  // A failure of one of these two tests must not fail all others.
  afterEach(() => sandbox.platform.settings.change({ acceptSelfBeforeActive: true }));

  it('waits while the platform refuses the person as requestor, and completes when the person is ACTIVE', async () => {
    const request = requestOf('refused', 'supplied');
    sandbox.platform.settings.change({ acceptSelfBeforeActive: false });
    await call('POST', '', request);
    const { naturalPersonId } = await reaches(request.externalId, 'AWAITING_REQUESTOR');
    sandbox.platform.settings.change({ acceptSelfBeforeActive: true });
    // A refused call is repeated when it can no longer have an effect: settle.identification.
    await sandbox.platform.clock.advance(60);
    sandbox.platform.persons.changeStatus(String(naturalPersonId), 'PENDING');
    await reaches(request.externalId, 'COMPLETED');
  });

  it('completes on a retry when the platform accepts the requestor, without a wait', async () => {
    const request = requestOf('retried', 'video');
    sandbox.platform.settings.change({ acceptSelfBeforeActive: false });
    await call('POST', '', request);
    const { reasons } = await reaches(request.externalId, 'AWAITING_REQUESTOR');
    expect(reasons).toMatchObject([
      { remedy: expect.stringMatching(/set onboarding\.requestor in the settings file/i) },
    ]);
    const retry = `/${encodeURIComponent(request.externalId)}/retry`;
    expect(await call('POST', retry)).toMatchObject({ status: 202 });
    await reaches(request.externalId, 'AWAITING_REQUESTOR');
    sandbox.platform.settings.change({ acceptSelfBeforeActive: true });
    expect(await call('POST', retry)).toMatchObject({ status: 202 });
    await reaches(request.externalId, 'COMPLETED');
  });

  it('is woken by store when a webhook reports the person, and not only by time', () => {
    const wakes = sent.filter(({ caller, text }) => caller === 'store' && text.includes('onboardingId'));
    expect(wakes.length).toBeGreaterThan(0);
  });
});

describe('the onboarding API', () => {
  it('starts one onboarding of one person for two equal requests, and returns 409 with the changed field for a third with other data', async () => {
    // Without identification, it stays open until the test lets the platform activate the person.
    const request = requestOf('twice', 'none');
    const answers = await Promise.all([call('POST', '', request), call('POST', '', request)]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(await call('POST', '', { ...request, person: { ...person, birthPlace: 'Köln' } })).toEqual({
      status: 409,
      json: {
        type: 'urn:drawbridge:problem:onboarding-conflict',
        title: expect.any(String),
        status: 409,
        detail: expect.any(String),
        step: expect.any(String),
        remedy: expect.stringContaining('cancel it first'),
        errors: [{ pointer: '#/person/birthPlace', detail: expect.any(String) }],
      },
    });
    const { naturalPersonId } = await reaches(request.externalId, 'AWAITING_ACTIVATION');
    sandbox.platform.persons.changeStatus(String(naturalPersonId), 'PENDING');
    await reaches(request.externalId, 'COMPLETED');
    expect(await call('POST', '', request)).toMatchObject({ status: 202, json: { step: 'COMPLETED' } });
    expect(personsOf(request.externalId)).toHaveLength(1);
  });

  it('returns 400 with the wrong fields of an invalid request, and creates neither onboarding nor person', async () => {
    const request = requestOf('broken', 'none');
    const broken = { ...request, person: { ...person, birthDay: canary, gender: undefined } };
    const { status, json } = await call('POST', '', broken);
    const { errors } = z.object({ errors: z.array(z.object({ pointer: z.string() })) }).parse(json);
    expect([status, errors.map(({ pointer }) => pointer).toSorted()]).toEqual([
      400,
      ['#/person/birthDay', '#/person/gender'],
    ]);
    expect(JSON.stringify(json)).not.toContain(canary);
    expect(await read(request.externalId)).toMatchObject({ status: 404 });
    expect(personsOf(request.externalId)).toEqual([]);
  });

  it('returns 409 for a retry of a canceled onboarding, and starts the onboarding again for the same request', async () => {
    const request = requestOf('canceled', 'none');
    const path = `/${encodeURIComponent(request.externalId)}`;
    await call('POST', '', request);
    await reaches(request.externalId, 'AWAITING_ACTIVATION');
    expect(await call('POST', `${path}/cancel`)).toMatchObject({ status: 202, json: { step: 'CANCELED' } });
    await expect.poll(() => stepsOf(request.externalId)).toContain('CANCELED');
    expect(await call('POST', `${path}/retry`)).toMatchObject({
      status: 409,
      json: { remedy: 'Send the request again: the onboarding starts again.' },
    });
    expect(await call('POST', '', request)).toMatchObject({ status: 202, json: { step: 'REQUESTED' } });
    await reaches(request.externalId, 'AWAITING_ACTIVATION');
    expect(personsOf(request.externalId)).toHaveLength(1);
  });

  it('sends an update of the person to the platform, and returns 400 for an unknown field', async () => {
    const request = requestOf('updated', 'supplied');
    const path = `/${encodeURIComponent(request.externalId)}/person`;
    await call('POST', '', request);
    await reaches(request.externalId, 'COMPLETED');
    const update = { naturalPersonUpdateData: { contact: { phone: '+4930123456' } } };
    expect(await call('PATCH', path, update)).toMatchObject({ status: 202 });
    await expect.poll(() => personsOf(request.externalId)[0]?.contact?.phone).toBe('+4930123456');
    expect(await call('PATCH', path, { naturalPersonUpdateData: { shoeSize: 38 } })).toMatchObject({ status: 400 });
  });
});

describe('an OnboardingRequested event on the bus', () => {
  it('starts one onboarding as POST /onboardings does, though a DynamoDB call breaks and the function is killed', async () => {
    const request = requestOf('event', 'supplied');
    let failures = 0;
    interfere = ({ when, operation, caller }) => {
      if (caller !== 'request-event' || operation !== 'PutItem' || failures === 2) return;
      failures += 1;
      if (failures === 1) throw new Error(`The connection breaks ${when} the call.`);
      sandbox.host.functions.find('request-event')?.kill();
    };
    await publish(request);
    await reaches(request.externalId, 'COMPLETED');
    interfere = () => undefined;
    expect(failures).toBe(2);
    expect(personsOf(request.externalId)).toMatchObject([{ naturalPersonStatus: 'ACTIVE' }]);
  });

  it('is answered with OnboardingRejected and the wrong fields when it is invalid', async () => {
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
    expect(await read(request.externalId)).toMatchObject({ status: 404 });
  });
});

describe('erasing a person', () => {
  const erase = (externalId: string) =>
    fetch(`${sandbox.host.place.apiOrigin}/persons/${encodeURIComponent(externalId)}`, { method: 'DELETE' });
  const personalEvents = async (naturalPersonId: unknown) => {
    const rows = await readAllEvents(sandbox.host);
    return rows.filter(({ deflatedBody }) =>
      Buffer.from(inflateBody(deflatedBody)).toString().includes(String(naturalPersonId)),
    );
  };

  it('is refused while the onboarding is open', async () => {
    const request = requestOf('not-erased', 'none');
    await call('POST', '', request);
    const { naturalPersonId } = await reaches(request.externalId, 'AWAITING_ACTIVATION');
    expect((await erase(request.externalId)).status).toBe(409);
    sandbox.platform.persons.changeStatus(String(naturalPersonId), 'PENDING');
    await reaches(request.externalId, 'COMPLETED');
  });

  it('removes the person from every table, and a late webhook does not restore it', async () => {
    const request = requestOf('erased', 'supplied');
    await call('POST', '', request);
    const { naturalPersonId } = await reaches(request.externalId, 'COMPLETED');
    await waitUntilStored(sandbox.host);
    expect(await personalEvents(naturalPersonId)).not.toEqual([]);
    expect((await erase(request.externalId)).status).toBe(204);
    expect(await personalEvents(naturalPersonId)).toEqual([]);
    expect(await read(request.externalId)).toMatchObject({ status: 410 });
    expect(await call('POST', '', request)).toMatchObject({ status: 410 });

    sandbox.platform.persons.changeStatus(String(naturalPersonId), 'SUSPENDED');
    await expect.poll(() => sandbox.platform.deliveries.waiting()).toBe(0);
    await waitUntilStored(sandbox.host);
    expect(await personalEvents(naturalPersonId)).toEqual([]);
    const entity = `${sandbox.host.place.apiOrigin}/entities/natural-person/${naturalPersonId}`;
    expect((await fetch(entity)).status).toBe(404);
  });
});

describe('after all onboardings of this file', () => {
  it('the onboardingId leads from the request over the webhooks to the bus', async () => {
    const onboardingId = onboardingIdOf(requestOf('video', 'video').externalId);
    const messagesWith = (id: string) =>
      sandbox
        .log()
        .split('\n')
        .filter((line) => line.includes(`"${id}"`))
        .map((line) => /"message":"([^"]+)"/.exec(line)?.[1]);
    await expect
      .poll(() => messagesWith(onboardingId))
      .toEqual(expect.arrayContaining(['onboarding accepted', 'onboarding advanced', 'onboarding woken']));
    const [woken = ''] = sandbox
      .log()
      .split('\n')
      .filter((line) => line.includes('"onboarding woken"') && line.includes(onboardingId));
    const eventId = /"eventId":"(\w+)"/.exec(woken)?.[1] ?? '';
    expect(messagesWith(eventId)).toEqual(expect.arrayContaining(['event applied', 'onboarding woken']));
    expect(publishedOf(requestOf('video', 'video').externalId)).not.toEqual([]);
  });

  it('no log line, bus event or queue message contains personal data', () => {
    const log = sandbox.log();
    expect(log).toContain('onboarding accepted');
    expect(log).not.toContain(canary);
    expect(new Set(sent.map(({ operation }) => operation))).toEqual(new Set(['PutEvents', 'SendMessage']));
    expect(sent.filter(({ text }) => text.includes(canary))).toEqual([]);
  });

  it('no log line, bus event or queue message contains the URL of a video call', () => {
    expect(sent.some(({ text }) => text.includes('OnboardingIdentificationReady'))).toBe(true);
    expect(sent.filter(({ text }) => text.includes(videoCallsAt))).toEqual([]);
    expect(sandbox.log()).not.toContain(videoCallsAt);
  });

  it('every dead-letter queue is empty', async () => {
    const { blueprint, clients } = sandbox.host;
    const deadLetters = blueprint.queues.filter(({ name }) => /dlq|missed-runs/.test(name));
    expect(deadLetters.map(({ name }) => name)).toContain('onboarding-dlq');
    for (const { name, ref } of deadLetters)
      expect(await readQueueDepth(clients.sqs, ref), name).toEqual({ visible: 0, inFlight: 0 });
  });
});
