import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** Keeps the rejections that nothing handles, which end a process, until the test has ended. Returns a function that reads them. */
export function unhandledRejections(): () => Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => seen.push(reason));
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
  });
  return async () => {
    // Node reports a rejection after the microtasks of the turn.
    await setImmediate();
    return seen;
  };
}
