import { describe, expect, it } from 'vitest';
import { readDrainCounts } from '#cli/drain/read-counts.ts';

const metrics = (values: object) => JSON.stringify({ _aws: { Timestamp: 0, CloudWatchMetrics: [] }, ...values });

describe('drawbridge drain: readDrainCounts', () => {
  it('adds up the counts in the log of a run, between other lines', () => {
    const log = [
      'dActed":"the rest of a line that Lambda has cut"}',
      '{"level":"INFO","message":"undelivered event handed over"}',
      metrics({
        UndeliveredFound: 20,
        UndeliveredDrained: 19,
        UndeliveredQuarantined: 1,
        PlatformCallDuration: [1, 2],
      }),
      metrics({ UndeliveredFound: 5, UndeliveredDrained: 5, UndeliveredMarked: 25 }),
      '{"type":"platform.report"}',
      '',
    ];
    expect(readDrainCounts(log)).toEqual({ found: 25, stored: 24, quarantined: 1, marked: 25 });
  });

  it('knows nothing where the log has no counts', () => {
    expect(readDrainCounts([])).toBeUndefined();
    expect(readDrainCounts([''])).toBeUndefined();
  });
});
