import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { videoCallsAt } from '#sandbox/platform/verifications/identification-verification-schema.ts';
import { createPartner } from '#sandbox/scenario/onboarding/partner.ts';
import { onboardingEvent } from '#shared/onboarding/onboarding-event.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { callApi, person as sample } from './call-api.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';

/** Is in every text of a request, and must appear nowhere else. */
const canary = 'Kanarienvogel';
const person = { ...sample, firstName: `${canary} Erika`, lastName: canary, birthPlace: canary };

let sandbox: HostedSandbox;
/** A person who acts for all others, once there is a proxy. */
let requestor: string;
/** What the functions sent to the bus and to queues. */
const sent: { readonly caller: string; readonly operation: string; readonly text: string }[] = [];

beforeAll(async () => {
  sandbox = await startHostedSandbox({
    // As section 5 says: no person is accepted as requestor before it is ACTIVE, not even for itself.
    platform: { settings: { acceptSelfBeforeActive: false, videoCallsAfter: null } },
    onboarding: (platform) => {
      requestor = makeReadyPerson(platform, {}, 'ACTIVE').naturalPersonId;
      return { requestor };
    },
    onAwsCall: ({ when, operation, caller, input }) => {
      if (when === 'after' && caller !== undefined && /^(PutEvents|SendMessage)/.test(operation))
        sent.push({ caller, operation, text: JSON.stringify(input()) });
    },
  });
}, 120_000);
afterAll(() => sandbox?.close());

async function call(method: string, path: string, body?: object) {
  const answer = await callApi(sandbox.host.place.apiOrigin, method, `/onboardings${path}`, body);
  const json = z.record(z.string(), z.unknown()).parse(await answer.json());
  return { status: answer.status, json };
}

const read = (externalId: string) => call('GET', `/${encodeURIComponent(externalId)}`);

/** Waits until the onboarding is at this step. Returns the platform's id of the person, and the reasons. */
async function reaches(externalId: string, step: string) {
  await expect.poll(() => read(externalId), { timeout: 90_000 }).toMatchObject({ status: 200, json: { step } });
  const { naturalPersonId, reasons } = (await read(externalId)).json;
  return { naturalPersonId: String(naturalPersonId), reasons };
}

const putEvents = z.object({ Entries: z.array(z.object({ DetailType: z.string(), Detail: z.string() })) });

/** Each published event of an onboarding. */
function publishedOf(externalId: string) {
  return sent
    .filter(({ operation }) => operation === 'PutEvents')
    .flatMap(({ text }) => putEvents.parse(JSON.parse(text)).Entries)
    .filter(({ DetailType }) => DetailType.startsWith('Onboarding'))
    .map(({ DetailType, Detail }) => onboardingEvent.parse({ detailType: DetailType, detail: JSON.parse(Detail) }))
    .filter(({ detail }) => detail.onboardingId === onboardingIdOf(externalId));
}

/** Requests an onboarding on the bus. */
const publish = (request: unknown) => createPartner({ host: sandbox.host, onAnswer: () => undefined }).publish(request);

describe('an onboarding by video call', () => {
  const externalId = `${canary}@partner.example`;
  const onboardingId = onboardingIdOf(externalId);

  it('stops while the requestor has no proxy, and after a retry publishes that the call is ready, and completes after the call', async () => {
    const { verifications, persons, proxies } = sandbox.platform;
    const identification = { mode: 'video', redirectUrl: `https://partner.example/${canary}` };
    expect(await call('POST', '', { externalId, person, identification })).toMatchObject({
      status: 202,
      json: { step: 'REQUESTED', onboardingId },
    });
    const { naturalPersonId, reasons } = await reaches(externalId, 'STOPPED');
    expect(reasons).toEqual([
      { code: 'REQUESTOR_ID_INVALID', remedy: expect.stringMatching(/ACTIVE proxy for this person .* then retry/) },
    ]);
    expect(verifications.of(naturalPersonId)).toEqual([]);

    proxies.create(requestor, naturalPersonId);
    expect(await call('POST', `/${encodeURIComponent(externalId)}/retry`)).toMatchObject({ status: 202 });
    await reaches(externalId, 'AWAITING_VIDEO_CALL');
    for (const { identificationVerificationId: id } of verifications.of(naturalPersonId))
      verifications.endVideoCall(id, 'APPROVED');
    await reaches(externalId, 'COMPLETED');
    expect(persons.get(naturalPersonId)).toMatchObject({ naturalPersonStatus: 'ACTIVE' });
    expect(verifications.of(naturalPersonId)).toHaveLength(1);
    await expect
      .poll(() => publishedOf(externalId).map(({ detailType }) => detailType))
      .toEqual(expect.arrayContaining(['OnboardingAccepted', 'OnboardingIdentificationReady', 'OnboardingCompleted']));
  });

  it('is woken by store when a webhook reports the person, and its onboardingId leads from the request to the webhook', async () => {
    const wakes = sent.filter(({ caller, text }) => caller === 'store' && text.includes(onboardingId));
    expect(wakes.length).toBeGreaterThan(0);
    const linesWith = (id: string) =>
      sandbox
        .log()
        .split('\n')
        .filter((line) => line.includes(`"${id}"`));
    const messagesWith = (id: string) => linesWith(id).map((line) => /"message":"([^"]+)"/.exec(line)?.[1]);
    await expect
      .poll(() => messagesWith(onboardingId))
      .toEqual(expect.arrayContaining(['onboarding accepted', 'onboarding advanced', 'onboarding woken']));
    const woken = linesWith(onboardingId).find((line) => line.includes('"onboarding woken"')) ?? '';
    const eventId = /"eventId":"(\w+)"/.exec(woken)?.[1] ?? '';
    expect(messagesWith(eventId)).toEqual(expect.arrayContaining(['event applied', 'onboarding woken']));
  });
});

describe('an OnboardingRequested event on the bus', () => {
  it('starts one onboarding although it comes twice, which completes when the platform makes the person ACTIVE', async () => {
    const externalId = `${canary}-event`;
    for (const _ of [1, 2]) await publish({ externalId, person, identification: { mode: 'none' } });
    const { naturalPersonId } = await reaches(externalId, 'AWAITING_ACTIVATION');
    const accepted = () =>
      sent.filter(({ caller, operation }) => caller === 'request-event' && operation === 'SendMessage');
    await expect.poll(accepted).toHaveLength(2);
    expect(sandbox.platform.persons.all().filter(({ person }) => person.externalId === externalId)).toHaveLength(1);
    sandbox.platform.persons.changeStatus(naturalPersonId, 'PENDING');
    await reaches(externalId, 'COMPLETED');
  });

  it('is answered with OnboardingRejected and the wrong fields when it is invalid', async () => {
    const externalId = `${canary}-rejected`;
    await publish({ externalId, person: { ...person, birthCountry: canary }, identification: { mode: 'none' } });
    await expect
      .poll(() => publishedOf(externalId))
      .toMatchObject([
        {
          detailType: 'OnboardingRejected',
          detail: { outcome: 'INVALID', problems: [{ field: 'person.birthCountry' }] },
        },
      ]);
    expect(await read(externalId)).toMatchObject({ status: 404 });
  });
});

describe('an onboarding that the platform ends', () => {
  it('has the code that the webhook gives, which advance reads from the entity', async () => {
    const externalId = `${canary}-ended`;
    const rejected = { ...person, lastName: 'Magic-Rejected' };
    await call('POST', '', { externalId, person: rejected, identification: { mode: 'none' } });
    await reaches(externalId, 'REJECTED');
    const json = { step: 'REJECTED', reasons: [{ code: 'REJECTED' }] };
    await expect.poll(() => read(externalId), { timeout: 90_000 }).toMatchObject({ json });
    expect(await read(`onboardingId:${onboardingIdOf(externalId)}`)).toMatchObject({ json });
    expect(publishedOf(externalId).at(-1)).toMatchObject({
      detailType: 'OnboardingEnded',
      detail: { step: 'REJECTED', reasons: [{ code: 'REJECTED', source: 'platform' }] },
    });
  });
});

describe('after all onboardings', () => {
  it('leaves no personal data and no URL of a video call in log lines, bus events and queue messages', () => {
    expect(new Set(sent.map(({ operation }) => operation))).toEqual(new Set(['PutEvents', 'SendMessage']));
    for (const secret of [canary, videoCallsAt]) {
      expect(sandbox.log()).not.toContain(secret);
      expect(sent.filter(({ text }) => text.includes(secret))).toEqual([]);
    }
  });

  it('leaves every dead-letter queue empty', async () => {
    const { blueprint, clients } = sandbox.host;
    const deadLetters = blueprint.queues.filter(({ name }) => /dlq|missed-runs/.test(name));
    expect(deadLetters.map(({ name }) => name)).toContain('onboarding-dlq');
    for (const { name, ref } of deadLetters)
      expect(await readQueueDepth(clients.sqs, ref), name).toEqual({ visible: 0, inFlight: 0 });
  });
});
