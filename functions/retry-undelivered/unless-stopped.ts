/**
 * Does not wait for what is under way when it is told to stop: for work of which every step can be repeated.
 *
 * @throws the reason of the signal
 */
export async function unlessStopped(stop: AbortSignal, work: Promise<void>): Promise<void> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(stop.reason);
  stop.addEventListener('abort', giveUp, { once: true });
  if (stop.aborted) giveUp();
  try {
    await Promise.race([work, stopped]);
  } finally {
    stop.removeEventListener('abort', giveUp);
    work.catch(() => undefined);
  }
}
