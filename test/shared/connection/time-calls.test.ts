import { describe, expect, it } from 'vitest';
import { isOutage, timeCalls } from '#shared/connection/platform-connection.ts';
import {
  PlatformHttpError,
  PlatformNetworkError,
  PlatformTimeoutError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';
import type { FetchedAnswer } from '#shared/platform/client/http.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';

const answer: FetchedAnswer = { status: 200, headers: new Headers(), bytes: () => Promise.resolve(new Uint8Array()) };
const request = { method: 'GET', headers: {}, redirect: 'manual' as const, signal: new AbortController().signal };

/** Makes a call that ends after so many milliseconds. */
function call(milliseconds: number, end: () => FetchedAnswer) {
  let time = Date.UTC(2026, 0, 2);
  const { metrics, objects } = captureLines();
  const fetch = timeCalls(
    async () => {
      time += milliseconds;
      return end();
    },
    { now: () => new Date(time), metrics },
  );
  const ended = fetch('https://platform.example/orders', request);
  const measured = async () => {
    await ended.catch(() => undefined);
    metrics.flush();
    return objects()[0]?.['PlatformCallDuration'];
  };
  return { ended, measured };
}

describe('the duration of a call to the platform', () => {
  it('is the time until the answer, which the caller gets as it came', async () => {
    const { ended, measured } = call(120, () => answer);
    expect(await ended).toBe(answer);
    expect(await measured()).toEqual([120]);
  });

  it('counts calls that fail, such as after a time limit', async () => {
    const failure = new Error('The connection broke.');
    const { ended, measured } = call(10_000, () => {
      throw failure;
    });
    await expect(ended).rejects.toBe(failure);
    expect(await measured()).toEqual([10_000]);
  });
});

describe('a failed call', () => {
  const http = (status: number) =>
    new PlatformHttpError('Get transfer', {
      status,
      condition: undefined,
      requestId: undefined,
      errorCode: undefined,
      errorDetails: [],
      retryAfter: undefined,
      isRetryable: true,
    });

  it('is part of an outage when the platform answered 5xx or not at all', () => {
    const failures = [
      http(500),
      http(503),
      new PlatformNetworkError('Get transfer', { cause: undefined }),
      new PlatformTimeoutError('Get transfer', 1),
    ];
    expect(failures.map(isOutage)).toEqual([true, true, true, true]);
  });

  it('is not part of an outage when the platform refused the request, or has no such call', () => {
    const refusals = [http(400), http(401), http(429), http(501), new PlatformTokenError('Get transfer')];
    expect(refusals.filter(isOutage)).toEqual([]);
  });
});
