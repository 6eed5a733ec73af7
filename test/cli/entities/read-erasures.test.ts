import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { describe, expect, it } from 'vitest';
import { mergeErasures, parseErasures, readErasures } from '#cli/entities/read-erasures.ts';

type Row = Readonly<Record<string, string>>;

/** CloudWatch, whose queries give these rows. */
function read(rows: readonly Row[]) {
  const results = rows.map((row) => Object.entries(row).map(([field, value]) => ({ field, value })));
  const logs = { send: async () => ({ queryId: 'q', status: 'Complete', results }) } as unknown as CloudWatchLogsClient;
  return readErasures(
    {
      clients: { logs } as unknown as Parameters<typeof readErasures>[0]['clients'],
      control: undefined,
      resources: async () => ({ idOf: () => 'group', ofType: () => [] }),
    },
    { since: '2026-01-01T00:00:00Z' },
    { fetch, now: () => new Date('2026-01-02T00:00:00Z'), wait: async () => undefined },
  );
}

describe('a logged erasure', () => {
  it('has no id but that of the onboarding where an earlier release logged the erasure', async () => {
    const none = { otherOnboardingIds: [], naturalPersonIds: [], identificationVerificationIds: [] };
    expect(await read([{ onboardingId: 'a' }])).toEqual([{ onboardingId: 'a', ...none }]);
  });

  it('has the ids of all lines of its onboarding', () => {
    const line = { otherOnboardingIds: [], identificationVerificationIds: ['v'] };
    const lines = [
      { onboardingId: 'a', naturalPersonIds: ['p', 'q'], ...line },
      { onboardingId: 'b', naturalPersonIds: [], ...line },
      { onboardingId: 'a', naturalPersonIds: ['q', 'r'], ...line },
    ];
    expect(mergeErasures(lines)).toEqual([
      { onboardingId: 'a', naturalPersonIds: ['p', 'q', 'r'], ...line },
      { onboardingId: 'b', naturalPersonIds: [], ...line },
    ]);
  });

  it('is refused when the log may have more lines than the query returns', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ onboardingId: String(index) }));
    await expect(read(rows)).rejects.toThrow(/Nothing was done\.\nNext: .*--until/);
  });

  it('is read from the list that was kept, and refused from a part of the list', () => {
    const ids = { otherOnboardingIds: [], naturalPersonIds: ['p'], identificationVerificationIds: [] };
    const erasures = [{ onboardingId: 'a', ...ids }];
    expect(parseErasures({ count: 1, erasures })).toEqual(erasures);
    for (const printed of [{ count: 2, erasures }, { erasures }, { count: 1, erased: 1, refused: [] }])
      expect(() => parseErasures(printed)).toThrow('Nothing was done');
  });
});
