const bytesPerMebibyte = 1_024 * 1_024;

/**
 * What this process keeps in memory, in MiB, after V8 has collected its garbage. Program code that V8 has compiled, and gaps between
 * what is kept, are left out: they grow for days without a leak.
 */
export async function keptMebibytes(): Promise<number> {
  await collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / bytesPerMebibyte;
}

/** The inspector is loaded here only, since it would slow the start of each function. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
