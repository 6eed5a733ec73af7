/**
 * Waits for work until the signal aborts. The work is not stopped: every step of it can be repeated, or it ends by the
 * signal itself. The signal keeps nothing of work that has ended, since one signal may outlast many races.
 *
 * @throws the reason of the signal, where the signal aborts first
 */
export async function raceAbort<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(signal.reason);
  const result = work();
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
