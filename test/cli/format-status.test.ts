import { expect, it } from 'vitest';
import { formatStatus } from '#cli/status/format-status.ts';
import type { Status } from '#cli/status/read-status.ts';

const now = new Date('2026-01-02T03:16:30Z');
const status: Status = {
  environment: 'production',
  version: '0.2.0',
  queues: [],
  onboardings: [],
  quarantined: 0,
  metrics: {
    EventsStored: 12,
    DuplicateDeliveries: 0,
    EntityChanges: 9,
    UndeliveredUnstored: 3,
    UndeliveredNow: 2,
    DriftFound: null,
  },
  alarms: [],
  unavailable: [],
  outage: null,
};

it('cli status tells undelivered records that are not stored from those that only wait for a mark, and names what is not known', () => {
  const screen = formatStatus(status, now);
  expect(screen).toMatch(/^undelivered, not stored yet +3$/m);
  expect(screen).toMatch(/^stored, to be marked by the next run +2$/m);
  expect(screen).toMatch(/^drift found in the last day +not known$/m);
});

it('cli status begins with an outage of the platform, within the width of the terminal', () => {
  const outage = {
    since: '2026-01-02T03:04:00.000Z',
    calls: 51,
    failed: 51,
    operations: [
      { operation: 'List undelivered webhooks', failed: 48 },
      { operation: 'Create natural person', failed: 3 },
    ],
    onboardingsWaiting: 2,
    lastWebhookOn: '2026-01-02T03:01:10.000Z',
  };
  const screen = formatStatus({ ...status, outage }, now, 80);
  expect(screen.split('\n\n')[0]).toBe(
    [
      'The platform answers no call since 2026-01-02T03:04Z (12 min).',
      'Failed calls: List undelivered webhooks (48), Create natural person (3).',
      '2 onboardings wait for the platform.',
      'The last webhook came 15 min ago, at 2026-01-02T03:01Z.',
      'Drawbridge retries each call, and continues by itself once the platform answers.',
    ].join('\n'),
  );
  expect(Math.max(...screen.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
});
