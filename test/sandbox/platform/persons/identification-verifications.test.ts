import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { refusal } from '#test/sandbox/platform/platform-fixture.ts';
import { nobody, refusedFor, startPersons, type TestPersons, videoIdent } from './persons-fixture.ts';

const eventType = 'IDENTIFICATION_VERIFICATION_NOTIFICATION';
const notActive = { status: 400, body: { errorCode: 'VALIDATION_ERROR' } };
const requestorInvalid = refusal(400, 'BAD_REQUEST', 'Requestor-ID invalid');

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

describe('4 Create Identification Verification: 200 with the identificationVerificationId at once', () => {
  it('has just the id in its answer', async () => {
    const answer = await create({ redirectUrl: 'https://partner.example/back?a=1' });
    const identificationVerificationId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(answer).toEqual({ status: 200, body: { identificationVerificationId } });
  });

  it('makes one that is RECEIVED (section 3.2), without an identificationUrl', async () => {
    const id = await newId();
    expect(await get(id)).toEqual({
      identificationVerificationId: id,
      naturalPersonId: personId,
      ...videoIdent,
      createdOn: expect.stringMatching(/^2026-11-21T08:00:01/),
      modifiedOn: expect.stringMatching(/^2026-11-21T08:00:01/),
      status: 'RECEIVED',
    });
    expect(await persons.notified(eventType)).toEqual([]);
  });

  it.each([
    ['naturalPersonId', 'erika'],
    ['naturalPersonId', undefined],
    ['externalVerifier', undefined],
    ['externalVerifier', 'vendor'],
    ['identificationType', undefined],
    ['identificationType', ''],
    ['redirectUrl', 'partner.example'],
    ['redirectUrl', 'javascript:alert(1)'],
    ['identificationUrl', 'https://partner.example/'],
    ['status', 'APPROVED'],
  ])('is refused where it does not fit: %s %j', async (field, value) => {
    expect(await create({ [field]: value })).toEqual(refusedFor(field));
  });

  it('may be one of several of a person', async () => {
    expect(await newId()).not.toBe(await newId());
  });
});

describe('7 Not Implemented: another verifier, or another identification type', () => {
  it.each([
    { externalVerifier: 'ANOTHER_VENDOR' },
    { identificationType: 'POST_IDENT' },
    { externalVerifier: 'ANOTHER_VENDOR', identificationType: 'POST_IDENT' },
  ])('is refused: %j', async (data) => {
    expect(await create(data)).toEqual(refusal(501, 'NOT_IMPLEMENTED', expect.stringContaining('supported')));
    expect((await persons.listVerifications(representativeId)).body).toMatchObject({ data: [] });
  });
});

describe('2.5 the person of a verification', () => {
  it('is at least 18, by the clock of the platform', async () => {
    const child = await persons.madeId('CREATED', { birthDay: '2008-11-22' });
    expect(await create({ naturalPersonId: child })).toEqual(refusedFor('naturalPersonId'));
    await persons.clock.advance(86_400);
    expect((await create({ naturalPersonId: child })).status).toBe(200);
  });

  it.each(['INVALID', 'REJECTED', 'DECEASED'])('is not %s', async (status) => {
    const other = await persons.madeId(status);
    expect(await create({ naturalPersonId: other })).toEqual(refusedFor('naturalPersonId'));
  });

  it.each(['RECEIVED', 'REVIEW', 'CREATED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'BLOCKED'])(
    'may be %s',
    async (status) => {
      expect((await create({ naturalPersonId: await persons.madeId(status) })).status).toBe(200);
    },
  );

  it('is there still', async () => {
    const other = await persons.madeId('INVALID');
    await persons.clock.advance(48 * 3_600);
    expect(await create({ naturalPersonId: other })).toEqual(refusal(404, 'NOT_FOUND', expect.any(String)));
  });
});

describe('2.5 identificationUrl: the link to the video call', () => {
  it('is there after identificationUrlAfter, when the verification is PENDING, and is notified', async () => {
    const id = await newId();
    await persons.clock.advance(4.999);
    expect(await get(id)).not.toHaveProperty('identificationUrl');
    await persons.clock.advance(0.001);
    const [status, modifiedOn] = ['PENDING', '2026-11-21T08:00:06Z'];
    expect(await get(id)).toMatchObject({
      status,
      modifiedOn,
      identificationUrl: expect.stringMatching(/^https:\/\//),
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

  it('is of a host that nobody has (RFC 6761)', async () => {
    const id = await newId();
    await persons.clock.advance(5);
    const { identificationUrl } = z.object({ identificationUrl: z.url() }).parse(await get(id));
    expect(new URL(identificationUrl).hostname).toMatch(/\.example$/);
  });
});

describe('a video call that ends well: APPROVED', () => {
  beforeEach(() => persons.settings.change({ identificationsAfter: 2, activationsAfter: 3 }));

  it('shows documentId and naturalPersonIdentificationId (section 2.5), and is notified', async () => {
    const id = await newId();
    await persons.clock.advance(5);
    expect(await get(id)).not.toHaveProperty('documentId');
    expect((await persons.endVideoCall(id, 'APPROVED')).status).toBe(200);
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(await get(id)).toMatchObject({ status: 'APPROVED', documentId: uuid, naturalPersonIdentificationId: uuid });
    expect((await persons.notified(eventType)).at(-1)).toMatchObject({
      status: 'APPROVED',
      notificationType: 'UPDATED',
    });
    expect((await persons.notified(eventType)).at(-1)).not.toHaveProperty('validationError');
  });

  it('is an identification of the person, who becomes PENDING and ACTIVE', async () => {
    const id = await newId();
    await persons.clock.advance(5);
    await persons.endVideoCall(id, 'APPROVED');
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

  it('brings a person to ACTIVE also where its checks end later', async () => {
    persons.settings.change({ checksAfter: 60, checkOutcomes: { REVIEW: 1 } });
    const early = await persons.createdId({ externalId: 'early' });
    const id = await persons.verificationId(representativeId, early);
    await persons.clock.advance(5);
    await persons.endVideoCall(id, 'APPROVED');
    await persons.clock.advance(60);
    expect(await statusOf(early)).toBe('REVIEW');
    await persons.setStatus(early, 'CREATED');
    await persons.clock.advance(5);
    expect(await statusOf(early)).toBe('ACTIVE');
  });

  it('helps nobody who was turned away meanwhile, or is gone', async () => {
    persons.settings.change({ checksAfter: 2, checkOutcomes: { INVALID: 1 } });
    const invalid = await persons.createdId({ externalId: 'invalid' });
    const [soon, late] = [
      await persons.verificationId(representativeId, invalid),
      await persons.verificationId(representativeId, invalid),
    ];
    await persons.clock.advance(5);
    await persons.endVideoCall(soon, 'APPROVED');
    await persons.clock.advance(60);
    expect(await statusOf(invalid)).toBe('INVALID');
    await persons.clock.advance(48 * 3_600);
    await persons.endVideoCall(late, 'APPROVED');
    expect(await get(late)).toMatchObject({ status: 'APPROVED' });
    expect((await persons.get(invalid)).status).toBe(404);
    expect(persons.errors).toEqual([]);
  });
});

describe('a video call that fails: any other word', () => {
  it.each(['FAILED', 'DECLINED', 'X'])('ends the verification: %s', async (outcome) => {
    const id = await newId();
    await persons.clock.advance(5);
    expect((await persons.endVideoCall(id, outcome)).status).toBe(200);
    expect(await get(id)).toMatchObject({ status: outcome });
    expect(await get(id)).not.toHaveProperty('documentId');
    await persons.clock.advance(60);
    expect(persons.persons.get(personId)).toMatchObject({
      naturalPersonStatus: 'CREATED',
      naturalPersonIdentifications: [],
    });
  });

  it('is notified with the reason, which a GET does not show', async () => {
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

describe('3.2 statuses: RECEIVED, PENDING, then APPROVED or a failure', () => {
  it('is refused to end a video call that there is not yet, or not any more', async () => {
    const id = await newId();
    const conflict = (text: string) => refusal(409, 'CONFLICT', expect.stringContaining(text));
    expect(await persons.endVideoCall(id, 'APPROVED')).toEqual(conflict('PENDING'));
    await persons.clock.advance(5);
    await persons.endVideoCall(id, 'DECLINED');
    expect(await persons.endVideoCall(id, 'APPROVED')).toEqual(conflict('final'));
    expect(await persons.endVideoCall(id, 'ABORTED')).toEqual(conflict('final'));
  });

  it.each(['RECEIVED', 'PENDING', 'approved', ''])('is refused to end with %j', async (outcome) => {
    const id = await newId();
    await persons.clock.advance(5);
    expect(await persons.endVideoCall(id, outcome)).toEqual(refusedFor('outcome'));
  });

  it('ends of itself after videoCallsAfter, as the weights say', async () => {
    persons.settings.change({ videoCallsAfter: 60, videoCallOutcomes: { APPROVED: 1, DECLINED: 1 } });
    const ids = await Array.fromAsync({ length: 40 }, newId);
    await persons.clock.advance(64.999);
    expect(new Set(ids.map((id) => persons.verifications.get(id).status))).toEqual(new Set(['PENDING']));
    await persons.clock.advance(0.001);
    expect(new Set(ids.map((id) => persons.verifications.get(id).status))).toEqual(new Set(['APPROVED', 'DECLINED']));
  });

  it('does not end of itself where it was ended, nor where the settings say so', async () => {
    const endless = await newId();
    await persons.clock.advance(5);
    persons.settings.change({ videoCallsAfter: 60 });
    const id = await newId();
    await persons.clock.advance(5);
    await persons.endVideoCall(id, 'DECLINED');
    await persons.clock.advance(1_000);
    expect(persons.verifications.get(id).status).toBe('DECLINED');
    expect(persons.verifications.get(endless).status).toBe('PENDING');
    expect(persons.errors).toEqual([]);
  });

  it('takes no status for a word for failure that is none', async () => {
    for (const word of ['PENDING', 'RECEIVED'])
      expect(
        (await persons.request('PATCH', '/control/settings', { body: { videoCallOutcomes: { [word]: 1 } } })).status,
      ).toBe(400);
  });
});

describe('4 Get Identification Verifications: those of whom the requestor may act for', () => {
  const page = z.object({
    data: z.array(z.object({ identificationVerificationId: z.string() })),
    pagination: z.object({ cursor: z.string(), limit: z.number() }),
  });
  async function list(requestorId: string, query = '') {
    const { data, pagination } = page.parse((await persons.listVerifications(requestorId, query)).body);
    return { ids: data.map(({ identificationVerificationId }) => identificationVerificationId), ...pagination };
  }

  it('are its own, and those of whom it represents', async () => {
    const [stranger, other] = [await persons.madeId(), await persons.madeId()];
    const ofStranger = await persons.verificationId(stranger);
    const ofPerson = await newId();
    const ofRepresentative = await persons.verificationId(representativeId);
    await persons.proxy(stranger, other);
    expect((await list(representativeId)).ids).toEqual([ofStranger, ofPerson, ofRepresentative]);
    expect((await list(stranger)).ids).toEqual([ofStranger]);
    expect((await list(other)).ids).toEqual([]);
  });

  it('are no more those of a person whose proxy has ended', async () => {
    await newId();
    const [proxy] = persons.proxies.list().filter(({ naturalPersonId }) => naturalPersonId === personId);
    await persons.request('DELETE', `/control/proxies/${proxy?.proxyId}`);
    expect((await list(representativeId)).ids).toEqual([]);
  });

  it.each(['alone', 'with others'])('come page by page, 20 unless told otherwise: %s', async (who) => {
    const requestorId = await persons.madeId();
    if (who === 'with others') await persons.proxy(requestorId, personId);
    const made = await Array.fromAsync({ length: 25 }, () => persons.verificationId(requestorId));
    const first = await list(requestorId);
    expect(first).toMatchObject({ ids: made.slice(0, 20), limit: 20 });
    expect(await list(requestorId, `?cursor=${first.cursor}`)).toMatchObject({ ids: made.slice(20), cursor: '' });
  });

  it('need a requestor that is ACTIVE, where only ACTIVE persons may act', async () => {
    persons.settings.change({ acceptSelfBeforeActive: false });
    expect(await persons.listVerifications(personId)).toMatchObject(notActive);
    expect(await persons.listVerifications(nobody)).toMatchObject(notActive);
    expect(await persons.send('GET', '/entities/identification-verifications')).toEqual(refusedFor('Requestor-ID'));
  });

  it('are its own only, for one that is not ACTIVE yet, where the environment takes it', async () => {
    persons.settings.change({ acceptSelfBeforeActive: true });
    await persons.proxy(personId, representativeId);
    await persons.verificationId(representativeId);
    const own = await persons.verificationId(personId);
    expect((await list(personId)).ids).toEqual([own]);
  });
});

describe('4 Get Identification Verification', () => {
  it('is Not Found where there is none of this id', async () => {
    expect(await persons.getVerification(representativeId, nobody)).toEqual(
      refusal(404, 'NOT_FOUND', expect.any(String)),
    );
    expect(await persons.getVerification(representativeId, 'x')).toEqual(refusedFor('identificationVerificationId'));
  });

  it('is for those who may act for its person', async () => {
    const id = await newId();
    persons.settings.change({ acceptSelfBeforeActive: false });
    expect(await persons.getVerification(await persons.madeId(), id)).toEqual(requestorInvalid);
    expect(await persons.getVerification(personId, id)).toMatchObject(notActive);
    expect(await persons.getVerification(personId, nobody)).toMatchObject(notActive);
    persons.settings.change({ acceptSelfBeforeActive: true });
    expect((await persons.getVerification(personId, id)).status).toBe(200);
  });
});

describe('5 Requestor-ID of a new verification', () => {
  it('is mandatory', async () => {
    const answer = await persons.send('POST', '/entities/identification-verifications', videoIdent);
    expect(answer).toEqual(refusedFor('Requestor-ID'));
  });

  it('is the person itself where the environment takes it, but nobody who was SUSPENDED or BLOCKED', async () => {
    persons.settings.change({ acceptSelfBeforeActive: false });
    expect(await persons.createVerification(personId, { naturalPersonId: personId })).toMatchObject(notActive);
    persons.settings.change({ acceptSelfBeforeActive: true });
    expect((await persons.createVerification(personId, { naturalPersonId: personId })).status).toBe(200);
    for (const status of ['SUSPENDED', 'BLOCKED']) {
      const naturalPersonId = await persons.madeId(status);
      expect(await persons.createVerification(naturalPersonId, { naturalPersonId })).toMatchObject(notActive);
    }
  });

  it('is nobody without a proxy', async () => {
    const stranger = await persons.madeId();
    expect(await persons.createVerification(stranger, { naturalPersonId: personId })).toEqual(requestorInvalid);
    expect(await persons.createVerification(stranger, { naturalPersonId: nobody })).toEqual(requestorInvalid);
  });
});
