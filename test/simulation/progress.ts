const width = 30;

/** A bar, how many are done, and how quickly. @param seconds since the beginning */
export function formatProgress(done: number, all: number, seconds: number): string {
  const filled = Math.round((done / all) * width);
  const rate = seconds > 0 ? Math.round(done / seconds) : 0;
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done} of ${all} histories, ${rate} a second`;
}
