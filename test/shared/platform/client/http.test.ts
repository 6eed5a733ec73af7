import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { PlatformAnswerTooLargeError, PlatformError, PlatformHttpError } from '#shared/platform/client/errors.ts';
import { AnswerTooLargeError, type PlatformFetch, raceAbort } from '#shared/platform/client/http.ts';
import { isOutcomeUnknown } from '#shared/platform/resources/create-natural-person.ts';
import { createTestClient, errorOf } from './test-client.ts';

const never = () => new Promise<never>(() => undefined);

describe('raceAbort', () => {
  it('gives the result of work that ends first, and leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    expect(await raceAbort(signal, async () => 'done')).toBe('done');
    await expect(raceAbort(signal, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('throws the reason of a signal that aborts before the work ends', async () => {
    const abort = new AbortController();
    const raced = raceAbort(abort.signal, never);
    abort.abort(new Error('too late'));
    await expect(raced).rejects.toThrow('too late');
  });

  it('throws the reason of a signal that aborted before the work began', async () => {
    await expect(raceAbort(AbortSignal.abort(new Error('over')), never)).rejects.toThrow('over');
  });
});

function clientOf(status: number) {
  const fetch: PlatformFetch = async () => ({
    status,
    headers: new Headers(),
    bytes: () => Promise.reject(new AnswerTooLargeError(1_000)),
  });
  return createTestClient('https://platform.example', { fetch });
}

describe('a call whose answer is too large', () => {
  it('fails once with an error that says what to do', async () => {
    const { client, pauses } = clientOf(200);
    const error = await errorOf(
      PlatformAnswerTooLargeError,
      client.send({ operation: 'List', method: 'GET', path: '/list' }),
    );
    expect(error.message).toContain('more than 1000 bytes and was not read. Of a list, set a smaller pageSize');
    expect(pauses).toEqual([]);
  });

  it('leaves the outcome of a create unknown', async () => {
    const create = { operation: 'Create', method: 'POST', path: '/persons', body: {} } as const;
    expect(isOutcomeUnknown(await errorOf(PlatformError, clientOf(200).client.send(create)))).toBe(true);
  });

  it('fails by its status when the status is no success', async () => {
    const error = await errorOf(
      PlatformHttpError,
      clientOf(404).client.send({ operation: 'Get', method: 'GET', path: '/a' }),
    );
    expect(error).toMatchObject({ status: 404 });
  });
});
