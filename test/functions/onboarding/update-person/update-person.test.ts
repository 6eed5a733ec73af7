import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createUpdatePerson, updateDeadlineMs } from '#functions/onboarding/update-person/update-person.ts';
import { fault } from '#sandbox/platform/faults/faults.ts';
import { PlatformSchemaError, PlatformTimeoutError } from '#shared/platform/client/errors.ts';
import { PlatformHttpError } from '#shared/platform/client/http-error.ts';
import { notAllowed } from '#shared/platform/profile/allow-fields.ts';
import { createOnboardingWorld, type World } from '#test/functions/onboarding/onboarding-world.ts';
import { notAtAll, sampleRequest } from '#test/functions/onboarding/requests.ts';
import { deployedStack, theResource } from '#test/infra/deployed-stack.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';

let emulators: Emulators;
let tableName: string;
let world: World;
let serial = 0;
let externalId: string;

beforeAll(async () => {
  emulators = await startEmulators();
  tableName = await emulators.createTable('onboardings', 'onboardings');
});
afterAll(() => emulators.close());
beforeEach(async () => {
  serial += 1;
  externalId = `partner-${serial}`;
  const representative = { status: 'ACTIVE', hasProxies: true } as const;
  world = await createOnboardingWorld({ emulators, tableName, representative });
  await world.accept(sampleRequest({ externalId, identification: notAtAll }));
});
afterEach(async () => {
  await world.close();
  expect(world.lines.text()).not.toMatch(/Erika|Musterfrau|Lighthouse|partner-/);
});

async function patch(
  body: unknown,
  of = externalId,
  deadlineMs = updateDeadlineMs,
  more: object = {},
  client = world.client,
) {
  const { settings, store, platform } = world;
  const { log } = world.lines;
  const update = createUpdatePerson({ client, settings, store, now: platform.clock.now, deadlineMs, log });
  const answer = await update({
    routeKey: 'PATCH /onboardings/{externalId}/person',
    isBase64Encoded: false,
    pathParameters: { externalId: of },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  });
  return { status: answer.statusCode, body: JSON.parse(answer.body ?? 'null') };
}

const documentId = '0190a6f0-1234-7abc-8def-0123456789ab';
const profession = { naturalPersonUpdateData: { profession: 'Lighthouse keeper' } };
const person = () => world.persons().find((one) => one.externalId === externalId);
const fail = (more: object) =>
  world.platform.faults.place(fault.parse({ operation: 'updateNaturalPerson', effect: 'ANSWER', ...more }));

describe('a gateway that sends null where API Gateway leaves a field out', () => {
  it('updates the person when other fields of the event are null', async () => {
    await world.workOff();
    const absent = { isBase64Encoded: null, queryStringParameters: null };
    expect(await patch(profession, externalId, updateDeadlineMs, absent)).toEqual({ status: 202, body: null });
  });

  it('answers 400 when the body is null', async () => {
    expect(await patch(profession, externalId, updateDeadlineMs, { body: null })).toMatchObject({ status: 400 });
  });
});

describe('PATCH /onboardings/{externalId}/person for the fields of section 4.1', () => {
  it('is answered 202 once the platform has accepted it', async () => {
    await world.workOff();
    expect(await patch(profession)).toEqual({ status: 202, body: null });
    await world.platform.clock.advance(10);
    expect(person()).toMatchObject({ profession: 'Lighthouse keeper' });
  });

  it('takes a field of an address that the profile allows, and refuses one that it does not', async () => {
    await world.workOff();
    const address = (mainAddress: object) => ({ naturalPersonUpdateData: { mainAddress } });
    expect(await patch(address({ country: 'CA', state: 'Ontario' }))).toMatchObject({ status: 202 });
    await world.platform.clock.advance(10);
    expect(person()).toMatchObject({ mainAddress: { state: 'Ontario' } });
    expect(await patch(address({ planet: 'Earth' }))).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/naturalPersonUpdateData/mainAddress/planet', detail: notAllowed }] },
    });
  });

  it('takes title, lastName and deathDay with a documentId', async () => {
    await world.workOff();
    const update = { naturalPersonUpdateData: { lastName: 'Musterfrau', title: 'DR' }, documentId };
    expect(await patch(update)).toMatchObject({ status: 202 });
    await world.platform.clock.advance(10);
    expect(person()).toMatchObject({ lastName: 'Musterfrau', title: 'DR' });
  });

  it.each([
    ['title', { title: 'DR' }],
    ['lastName', { lastName: 'Musterfrau' }],
    ['deathDay', { deathDay: '2026-01-01' }],
  ])('answers 400 for %s without an id, with every other problem', async (field, data) => {
    expect(await patch({ naturalPersonUpdateData: { ...data, language: 'de' } })).toMatchObject({
      status: 400,
      body: {
        type: 'urn:drawbridge:problem:invalid-request',
        errors: [
          { pointer: '#/naturalPersonUpdateData/language', detail: notAllowed },
          { pointer: '#/documentId', detail: `must be given with ${field} (section 4.1)` },
        ],
      },
    });
  });

  it.each([
    ['no JSON', '{', '#'],
    [
      'a field that can only be set at first',
      { naturalPersonUpdateData: { birthDay: '1990-01-01' } },
      '#/naturalPersonUpdateData/birthDay',
    ],
    ['the externalId', { naturalPersonUpdateData: { externalId: 'x' } }, '#/naturalPersonUpdateData/externalId'],
  ])('answers 400 for %s and points to the field', async (_, body, pointer) => {
    expect(await patch(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  it('names the first 100 problems of an update that has thousands', async () => {
    const mainAddress = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
    const taxDetails = Array.from({ length: 5_000 }, () => 1);
    const { status, body } = await patch({ naturalPersonUpdateData: { mainAddress, taxDetails } });
    expect([status, body.errors.length]).toEqual([400, 100]);
  });

  it('answers 400 for an update that has more problems than the stack of a process holds', async () => {
    const taxDetails = Array.from({ length: 200_000 }, () => 1);
    expect(await patch({ naturalPersonUpdateData: { taxDetails } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#', detail: 'has too many problems' }] },
    });
  });

  it('answers 409 while the platform does not have the person, 404 for an unknown one, and 410 for an erased one', async () => {
    expect(await patch(profession)).toMatchObject({ status: 409 });
    expect(await patch(profession, 'nobody')).toMatchObject({ status: 404 });
    await world.erase(externalId);
    expect(await patch(profession)).toMatchObject({
      status: 410,
      body: { type: expect.stringContaining('person-erased') },
    });
  });

  it('409 where the requestor may not do it, with what to do', async () => {
    await world.workOff();
    world.platform.persons.changeStatus(world.representativeId ?? '', 'SUSPENDED');
    expect(await patch(profession)).toMatchObject({
      status: 409,
      body: {
        title: 'Requestor refused by the platform',
        reason: 'REQUESTOR_NOT_ACTIVE',
        remedy: expect.stringContaining('send the update again'),
      },
    });
  });

  it('400 with the fields that the platform refuses, and nothing that it says of them', async () => {
    await world.workOff();
    const errorDetails = [
      { field: 'profession', errors: [{ code: 'UNKNOWN', message: 'Lighthouse' }] },
      { field: 'taxDetails[0].taxId', errors: [{ code: 'INVALID', message: 'Lighthouse' }] },
      { field: 'naturalPersonUpdateData.title', errors: [] },
      { errors: [] },
    ];
    fail({ status: 400, body: JSON.stringify({ errorDetails }) });
    expect(await patch(profession)).toMatchObject({
      status: 400,
      body: {
        errors: [
          { pointer: '#/naturalPersonUpdateData/profession', detail: 'UNKNOWN' },
          { pointer: '#/naturalPersonUpdateData/taxDetails/0/taxId', detail: 'INVALID' },
          { pointer: '#/naturalPersonUpdateData/title', detail: 'is refused by the platform' },
          { pointer: '#', detail: 'is refused by the platform' },
        ],
      },
    });
  });

  it('502 where it refuses it otherwise; an outage throws, so that it is sent again', async () => {
    await world.workOff();
    fail({ status: 501, times: 1 });
    expect(await patch(profession)).toMatchObject({
      status: 502,
      body: { type: 'urn:drawbridge:problem:platform-refused', reason: 'NOT_IMPLEMENTED' },
    });
    fail({ status: 503 });
    await expect(patch(profession)).rejects.toThrow(PlatformHttpError);
  });

  it('throws, so that the update is sent again, when the answer is not the platform’s', async () => {
    await world.workOff();
    const page = { status: 200, headers: new Headers(), body: Buffer.from('<html>Maintenance</html>') };
    const client = { ...world.client, send: async () => page };
    await expect(patch(profession, externalId, updateDeadlineMs, {}, client)).rejects.toThrow(PlatformSchemaError);
  });
});

describe('an update is answered by the function and not by a gateway that has waited too long', () => {
  it('is over some seconds before the function is, which has 29', () => {
    const { Properties } = theResource(deployedStack('service'), 'AWS::Lambda::Function', 'UpdatePerson');
    expect(updateDeadlineMs).toBeLessThanOrEqual(Number(Properties['Timeout']) * 1_000 - 5_000);
  });

  it('gives the platform up in time, so that it is sent again', async () => {
    await world.workOff();
    world.platform.faults.place(
      fault.parse({ operation: 'updateNaturalPerson', effect: 'LATENCY', milliseconds: 5_000 }),
    );
    await expect(patch(profession, externalId, 100)).rejects.toThrow(PlatformTimeoutError);
  });

  it('what was read before is taken off the time that the platform has', async () => {
    await world.workOff();
    const deadlines: unknown[] = [];
    const { platform, settings, store } = world;
    let at = platform.clock.now().getTime();
    const update = createUpdatePerson({
      client: {
        ...world.client,
        send: async (_, options) => {
          deadlines.push(options?.deadline);
          return world.client.send(_, options);
        },
      },
      settings,
      store: {
        load: async (onboardingId) => {
          at += 9_000;
          return store.load(onboardingId);
        },
      },
      now: () => new Date(at),
      deadlineMs: 24_000,
      log: world.lines.log,
    });
    await update({
      routeKey: 'PATCH /onboardings/{externalId}/person',
      isBase64Encoded: false,
      pathParameters: { externalId },
      body: JSON.stringify(profession),
    });
    expect(deadlines).toEqual([15_000]);
  });
});
