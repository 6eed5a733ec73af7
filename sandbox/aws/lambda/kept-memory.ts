/** Has V8 collect all garbage of this process. The inspector is loaded here only, since it would slow the start of each function. */
export async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
