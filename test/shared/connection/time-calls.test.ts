import { describe, expect, it } from 'vitest';
import { timeCalls } from '#shared/connection/platform-connection.ts';
import type { FetchedAnswer } from '#shared/platform/client/fetch.ts';
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
