import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after so many milliseconds. @throws {Error} an AbortError as soon as the signal aborts */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
}
