import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import type { OnboardingRequest as AcceptedRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { connectDrawbridge, type OnboardingRequest } from '#package/client/drawbridge.ts';
import { DrawbridgeApiError } from '#package/client/problem-error.ts';
import { readWebhookBody } from '#package/client/webhook-bodies.ts';
import { raceAbort } from '#shared/platform/client/http.ts';
import { unknownField } from '#shared/platform/fields/received.ts';
import { person } from '#test/end-to-end/call-api.ts';
import { type HostedSandbox, startHostedSandbox } from '#test/end-to-end/hosted-sandbox.ts';
import { failureOf } from '#test/shared/platform/client/test-client.ts';

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
const credentials = { accessKeyId: 'ours', secretAccessKey: 'secret' };

async function problemOf(call: Promise<unknown>): Promise<DrawbridgeApiError> {
  const error = await failureOf(call);
  expect(error).toBeInstanceOf(DrawbridgeApiError);
  return error as DrawbridgeApiError;
}

describe('drawbridge/client, against the laptop', () => {
  let sandbox: HostedSandbox;
  beforeAll(async () => {
    sandbox = await startHostedSandbox({ platform: { settings: { acceptSelfBeforeActive: true } } });
  });
  afterAll(() => sandbox.close());

  const signatures: string[] = [];
  const connect = () =>
    connectDrawbridge({
      apiUrl: sandbox.endpoints.api,
      credentials,
      fetch: (url, init) => {
        signatures.push(new Headers(init?.headers).get('authorization') ?? '');
        return fetch(url, init);
      },
    });

  const deliver = (body: object) => sandbox.platform.deliveries.deliver(orders, Buffer.from(JSON.stringify(body)));

  it('starts, shows, lists and cancels onboardings, and signs each request', async () => {
    const { onboardings } = connect();
    const [first, second] = [randomUUID(), randomUUID()];
    for (const externalId of [first, second])
      expect(await onboardings.start({ externalId, person, identification: { mode: 'none' } })).toMatchObject({
        mode: 'none',
        step: 'REQUESTED',
      });
    const onboardingId = (await onboardings.get(first))?.onboardingId;
    expect(onboardingId).toMatch(/^[\da-f]{64}$/);
    // The index of the list is behind the table, and an onboarding that advances between two pages moves to the front, which has been read.
    const readSizes = async () =>
      (await Array.fromAsync(onboardings.list({ limit: 1 }).pages())).map(({ items }) => items.length);
    await expect.poll(async () => (await readSizes()).filter((size) => size === 1).length).toBe(2);
    const listed = async () => (await Array.fromAsync(onboardings.list({ limit: 1 }))).map((one) => one.onboardingId);
    await expect.poll(listed).toContain(onboardingId);
    expect((await onboardings.cancel(first)).step).toBe('CANCELED');
    expect(await onboardings.get('no such person')).toBeUndefined();
    expect(signatures.length).toBeGreaterThan(6);
    for (const signature of signatures)
      expect(signature).toMatch(/^AWS4-HMAC-SHA256 Credential=ours\/\d{8}\/eu-central-1\/execute-api\//);
  });

  it('names the problem, the fields at fault and the remedy', async () => {
    const { onboardings, entities } = connect();
    const externalId = randomUUID();
    const identification = { mode: 'none' } as const;
    const wrong = await problemOf(
      onboardings.start({ externalId, person: { ...person, birthCountry: 'Austria' }, identification }),
    );
    expect(wrong).toMatchObject({ status: 400, problem: 'invalid-request', isRetryable: false });
    expect(wrong.errors.map(({ pointer }) => pointer)).toEqual(['#/person/birthCountry']);
    expect(wrong.message).toContain('#/person/birthCountry');
    expect(wrong.message).not.toContain('Austria');
    await onboardings.start({ externalId, person, identification });
    const conflict = await problemOf(
      onboardings.start({ externalId, person: { ...person, birthPlace: 'Graz' }, identification }),
    );
    expect(conflict).toMatchObject({ status: 409, problem: 'onboarding-conflict' });
    expect(conflict.remedy).toBeTruthy();
    expect(conflict.step).toBeTruthy();
    const query = await problemOf(Array.fromAsync(entities.list('order', { limit: 1_000 })));
    expect(query).toMatchObject({ problem: 'invalid-query', errors: [{ parameter: 'limit' }] });
  });

  it('reads entities, their timelines, events and their bodies', async () => {
    const { entities, events, quarantine } = connect();
    const orderId = randomUUID();
    await deliver({ orderId, status: 'PENDING', side: 'BUY', quantity: '10', colour: 'blue' });
    await deliver({ orderId, status: 'FILLED' });
    await expect.poll(async () => (await entities.get('order', orderId))?.status).toBe('FILLED');
    const timeline = await Array.fromAsync(entities.timeline('order', orderId, { limit: 1 }));
    expect(timeline.map(({ status }) => status).toSorted()).toEqual(['FILLED', 'PENDING']);
    const pending = timeline.find(({ status }) => status === 'PENDING');
    const event = await events.get(pending?.eventId ?? '');
    const body = readWebhookBody(orders, event?.body);
    expect(body).toMatchObject({ orderId, status: 'PENDING', side: 'BUY', quantity: 10 });
    expect(unknownField(body ?? {}, 'colour')).toBe('blue');
    expect(Buffer.from(await events.body(pending?.eventId ?? '')).toString()).toBe(event?.body);
    const listed = await Array.fromAsync(events.list({ eventType: orders, limit: 1 }));
    expect(listed.map(({ eventId }) => eventId)).toContain(pending?.eventId);
    expect((await Array.fromAsync(entities.list('order', { limit: 1 }))).map(({ id }) => id)).toContain(orderId);
    expect(await entities.get('transfer', orderId)).toBeUndefined();
    expect(await events.get('f'.repeat(64))).toBeUndefined();
    expect((await quarantine()).count).toBe(0);
  });

  it('exports and erases a person', async () => {
    const { onboardings, persons } = connect();
    const externalId = randomUUID();
    const { onboardingId } = await onboardings.start({ externalId, person, identification: { mode: 'none' } });
    expect(await persons.export(externalId)).toMatchObject({ onboardingId, isComplete: true });
    await onboardings.cancel(externalId);
    await persons.erase(externalId);
    const problem = await problemOf(persons.update(externalId, { naturalPersonUpdateData: { profession: 'Nurse' } }));
    expect(problem).toMatchObject({ status: 410, problem: 'person-erased' });
    expect(await onboardings.get(externalId)).toBeUndefined();
  });
});

describe('@drawbridge-partner/drawbridge/client', () => {
  const apiUrl = 'https://a1b2c3.execute-api.eu-west-1.amazonaws.com';
  const answer = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) =>
    new Response(JSON.stringify(body), { status, headers });
  const wait = async () => undefined;

  function clientWith(answers: readonly (() => Response)[]) {
    const sent: Request[] = [];
    const pauses: number[] = [];
    const client = connectDrawbridge({
      apiUrl,
      credentials,
      random: () => 0.5,
      wait: async (milliseconds) => pauses.push(milliseconds),
      fetch: async (url, init) => {
        sent.push(new Request(url, init));
        return (answers[sent.length - 1] ?? (() => answer(503, {})))();
      },
    });
    return { client, sent, pauses };
  }

  it('repeats a request that failed for a while, with the region of the address', async () => {
    const lost = () => {
      throw new TypeError('fetch failed');
    };
    const { client, sent } = clientWith([lost, () => answer(429, {}), () => answer(200, { count: 0, counts: [] })]);
    expect((await client.quarantine()).count).toBe(0);
    expect(sent.map(({ url }) => url)).toEqual(Array.from({ length: 3 }, () => `${apiUrl}/quarantine`));
    expect(sent[0]?.headers.get('authorization')).toContain('/eu-west-1/execute-api/');
  });

  it('gives up after four attempts, and says that the same request may succeed later', async () => {
    const { client, sent } = clientWith([]);
    const error = await problemOf(client.onboardings.get('a b'));
    expect(error).toMatchObject({ status: 503, isRetryable: true, problem: undefined });
    expect(sent.map(({ url }) => url)).toEqual(Array.from({ length: 4 }, () => `${apiUrl}/onboardings/a%20b`));
  });

  it('waits as long as Retry-After says, and else by a back-off with full jitter', async () => {
    const busy = () => answer(503, {}, { 'retry-after': '5' });
    const { client, pauses } = clientWith([busy, () => answer(429, {}), () => answer(503, {}, { 'retry-after': 'x' })]);
    await problemOf(client.quarantine());
    expect(pauses).toEqual([5_000, 500, 1_000]);
  });

  it('throws the error immediately when Retry-After is longer than 30 seconds', async () => {
    const { client, sent } = clientWith([() => answer(503, {}, { 'retry-after': '31' })]);
    expect(await problemOf(client.quarantine())).toMatchObject({ isRetryable: true, retryAfter: 31_000 });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['its own pause', undefined],
    [
      'the pause of the option wait',
      (___: number, signal = new AbortController().signal) => raceAbort(signal, () => new Promise(() => undefined)),
    ],
  ])('ends %s before a retry when the signal aborts', async (__, wait) => {
    const stop = new AbortController();
    const client = connectDrawbridge({
      apiUrl,
      credentials,
      wait,
      fetch: async () => {
        setImmediate(() => stop.abort(new Error('stopped')));
        return answer(503, {}, { 'retry-after': '30' });
      },
    });
    await expect(client.quarantine({ signal: stop.signal })).rejects.toThrow('stopped');
  });

  it('sends a request once that the platform refuses again', async () => {
    const refused = { type: 'urn:drawbridge:problem:platform-refused', detail: 'The platform refuses the request.' };
    const { client, sent } = clientWith([() => answer(502, refused)]);
    const error = await problemOf(client.persons.update('a b', { naturalPersonUpdateData: { profession: 'Nurse' } }));
    expect(error).toMatchObject({ status: 502, problem: 'platform-refused', isRetryable: false });
    expect(sent).toHaveLength(1);
  });

  it.each(['a/b', 'a?b', 'a#b', 'a%b'])('sends nothing for %s, with which the path could name another person', (id) => {
    const { client, sent } = clientWith([]);
    expect(() => client.onboardings.get(id)).toThrow('Nothing was sent');
    expect(sent).toEqual([]);
  });

  it('names why no answer came', async () => {
    const refused = () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
    };
    const { client } = clientWith(Array.from({ length: 4 }, () => refused));
    expect((await problemOf(client.quarantine())).message).toContain('did not answer (ECONNREFUSED)');
  });

  it('throws the reason of the signal', async () => {
    const stopped = connectDrawbridge({
      apiUrl,
      credentials,
      wait,
      fetch: async (_, init) => {
        init?.signal?.throwIfAborted();
        return answer(200, {});
      },
    });
    const reason = new Error('stopped');
    await expect(stopped.quarantine({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('asks for the region of an address that names none', () => {
    expect(() => connectDrawbridge({ apiUrl: 'https://drawbridge.bank.example', credentials })).toThrow(
      'give connectDrawbridge the region',
    );
  });

  it('has the type of a request that the API accepts', () => {
    expectTypeOf<OnboardingRequest>().toExtend<AcceptedRequest>();
  });
});
