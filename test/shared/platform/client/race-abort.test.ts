import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { raceAbort } from '#shared/platform/client/fetch.ts';

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
