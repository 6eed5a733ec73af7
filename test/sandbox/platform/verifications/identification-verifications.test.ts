import { beforeEach, describe, expect, it } from 'vitest';
import { naturalPersonStatus } from '#sandbox/platform/persons/natural-person-status.ts';
import {
  refusedFor,
  startPersons,
  type TestPersons,
  videoIdent,
} from '#test/sandbox/platform/persons/persons-fixture.ts';
import { refusal } from '#test/sandbox/platform/platform-fixture.ts';

const eventType = 'IDENTIFICATION_VERIFICATION_NOTIFICATION';
const notActive = { status: 400, body: { errorCode: 'VALIDATION_ERROR' } };

let persons: TestPersons;
let representativeId: string;
/** CREATED, and represented. */
let personId: string;
beforeEach(async () => {
  persons = startPersons({ settings: { identificationUrlAfter: 5 } });
  representativeId = await persons.madeId();
  persons.settings.change({ representativeId });
  personId = await persons.createdId({ birthDay: '2008-11-21' });
  await persons.clock.advance(1);
});

const create = (data: object = {}) =>
  persons.createVerification(representativeId, { naturalPersonId: personId, ...data });
const newId = () => persons.verificationId(representativeId, personId);
const get = async (id: string) => (await persons.getVerification(representativeId, id)).body;
const statusOf = async (naturalPersonId: string) => persons.persons.get(naturalPersonId).naturalPersonStatus;

describe('sandbox platform: the person of a verification (section 2.5)', () => {
  it.each(naturalPersonStatus.options)('may be a person that is %s, unless it can never act', async (status) => {
    const isRefused = ['INVALID', 'REJECTED', 'DECEASED'].includes(status);
    const answer = await create({ naturalPersonId: await persons.madeId(status) });
    expect(answer).toEqual(isRefused ? refusedFor('naturalPersonId') : expect.objectContaining({ status: 200 }));
  });
});

describe('sandbox platform: identificationUrl (section 2.5)', () => {
  it('sets and notifies the identificationUrl after identificationUrlAfter, when the verification is PENDING', async () => {
    const id = await newId();
    await persons.clock.advance(4.999);
    expect(await get(id)).not.toHaveProperty('identificationUrl');
    await persons.clock.advance(0.001);
    const [status, modifiedOn] = ['PENDING', '2026-11-21T08:00:06Z'];
    expect(await get(id)).toMatchObject({
      status,
      modifiedOn,
      // A reserved host name (RFC 6761).
      identificationUrl: expect.stringMatching(/^https:\/\/[^/]+\.example\//),
    });
    expect(await persons.notified(eventType)).toEqual([
      {
        identificationVerificationId: id,
        naturalPersonId: personId,
        status,
        createdOn: expect.stringMatching(/^2026-11-21T08:00:01/),
        modifiedOn,
        notificationType: 'CREATED',
      },
    ]);
  });
});

describe('sandbox platform: a video call that ends with APPROVED', () => {
  beforeEach(() => persons.settings.change({ identificationsAfter: 2, activationsAfter: 3 }));

  it('adds an identification to the person, who becomes PENDING and ACTIVE', async () => {
    const id = await newId();
    await persons.clock.advance(5);
    await persons.endVideoCall(id, 'APPROVED');
    const sent = (await persons.notified(eventType)).at(-1);
    expect(sent).toMatchObject({ status: 'APPROVED', notificationType: 'UPDATED' });
    expect(sent).not.toHaveProperty('validationError');
    const { naturalPersonIdentificationId: identificationId } = persons.verifications.get(id);
    expect(persons.persons.get(personId)).toMatchObject({
      naturalPersonStatus: 'CREATED',
      naturalPersonIdentifications: [
        { identificationId, ...videoIdent, identificationDate: '2026-11-21', identificationDocumentType: 'ID' },
      ],
    });
    await persons.clock.advance(2);
    expect(await statusOf(personId)).toBe('PENDING');
    await persons.clock.advance(3);
    expect(await statusOf(personId)).toBe('ACTIVE');
  });
});

describe('sandbox platform: a video call that fails', () => {
  it('gives the reason in the notification, and not in a GET', async () => {
    const [one, other] = [await newId(), await newId()];
    await persons.clock.advance(5);
    const validationError = { errorType: 'ID_EXPIRED', description: 'The document has expired.' };
    await persons.endVideoCall(one, 'DECLINED', { validationError });
    await persons.endVideoCall(other, 'ABORTED');
    expect((await persons.notified(eventType)).slice(-2)).toMatchObject([
      { status: 'DECLINED', notificationType: 'UPDATED', validationError },
      { status: 'ABORTED', notificationType: 'UPDATED', validationError: { errorType: 'ABORTED' } },
    ]);
    expect(await get(one)).not.toHaveProperty('validationError');
  });
});

describe('sandbox platform: verification statuses (section 3.2)', () => {
  it('rejects the end of a video call that has not begun or is over', async () => {
    const id = await newId();
    const conflict = (text: string) => refusal(409, 'CONFLICT', expect.stringContaining(text));
    expect(await persons.endVideoCall(id, 'APPROVED')).toEqual(conflict('PENDING'));
    await persons.clock.advance(5);
    await persons.endVideoCall(id, 'DECLINED');
    expect(await persons.endVideoCall(id, 'APPROVED')).toEqual(conflict('final'));
    expect(await persons.endVideoCall(id, 'ABORTED')).toEqual(conflict('final'));
  });

  it('ends the call by itself after videoCallsAfter, with an outcome picked by weight', async () => {
    persons.settings.change({ videoCallsAfter: 60, videoCallOutcomes: { APPROVED: 1, DECLINED: 1 } });
    const ids = await Array.fromAsync({ length: 40 }, newId);
    await persons.clock.advance(64.999);
    expect(new Set(ids.map((id) => persons.verifications.get(id).status))).toEqual(new Set(['PENDING']));
    await persons.clock.advance(0.001);
    expect(new Set(ids.map((id) => persons.verifications.get(id).status))).toEqual(new Set(['APPROVED', 'DECLINED']));
  });
});

describe('sandbox platform: the Requestor-ID of a new verification (section 5)', () => {
  it('accepts the person itself where the environment allows it', async () => {
    persons.settings.change({ acceptSelfBeforeActive: false });
    expect(await persons.createVerification(personId, { naturalPersonId: personId })).toMatchObject(notActive);
    persons.settings.change({ acceptSelfBeforeActive: true });
    expect((await persons.createVerification(personId, { naturalPersonId: personId })).status).toBe(200);
  });
});
