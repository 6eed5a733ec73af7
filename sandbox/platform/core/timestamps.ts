const nanosecondsPerMillisecond = 1_000_000;

/**
 * A source of `date-time` values (section 2), each later than the last. Nanoseconds distinguish times within a millisecond.
 * A value has as few digits as possible.
 */
export function createTimestamps(now: () => Date): () => string {
  let milliseconds = Number.NEGATIVE_INFINITY;
  let nanoseconds = 0;

  function moveOn(): void {
    const time = now().getTime();
    nanoseconds = time > milliseconds ? 0 : nanoseconds + 1;
    milliseconds = Math.max(time, milliseconds);
    if (nanoseconds < nanosecondsPerMillisecond) return;
    milliseconds += 1;
    nanoseconds = 0;
  }

  return () => {
    moveOn();
    const iso = new Date(milliseconds).toISOString();
    const fraction = `${iso.slice(20, 23)}${String(nanoseconds).padStart(6, '0')}`.replace(/0+$/, '');
    return `${iso.slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
  };
}
