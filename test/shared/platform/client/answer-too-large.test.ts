import { describe, expect, it } from 'vitest';
import { PlatformAnswerTooLargeError, PlatformError, PlatformHttpError } from '#shared/platform/client/errors.ts';
import { AnswerTooLargeError, type PlatformFetch } from '#shared/platform/client/fetch.ts';
import { isOutcomeUnknown } from '#shared/platform/resources/create-natural-person.ts';
import { createTestClient, errorOf } from './test-client.ts';

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
