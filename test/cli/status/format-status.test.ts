import { expect, it } from 'vitest';
import { queueNames } from '#cli/deployment/resource-names.ts';
import { formatStatus, toneOfLine } from '#cli/status/format-status.ts';
import { calledOperations } from '#cli/status/platform-outage.ts';
import type { Status } from '#cli/status/read-status.ts';
import { openSteps } from '#shared/onboarding/onboarding-advice.ts';

const now = new Date('2026-01-02T03:16:30Z');
const status: Status = {
  environment: 'production',
  version: '0.2.0',
  queues: [],
  onboardings: [],
  quarantined: 0,
  hasMoreQuarantined: false,
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

it('shows undelivered records that are not stored apart from those that only wait for a mark, and names what is not known', () => {
  const screen = formatStatus(status, now);
  expect(screen).toMatch(/^undelivered, not stored yet +3$/m);
  expect(screen).toMatch(/^stored, to be marked by the next run +2$/m);
  expect(screen).toMatch(/^drift found in the last day +not known$/m);
});

it('colours what needs an operator in the status, and nothing where all is well', () => {
  const badLines = (shown: Status) =>
    formatStatus(shown, now)
      .split('\n')
      .filter((line) => toneOfLine(line) !== undefined)
      .map((line) => line.split('  ')[0]);
  const dead = { name: 'WebhooksDlq', waiting: 2, inFlight: 0, delayed: 0, oldestSeconds: 60 } as const;
  const well = { ...status, metrics: status.metrics && { ...status.metrics, UndeliveredUnstored: 0 } };
  expect(badLines({ ...well, queues: [{ ...dead, waiting: 0 }] })).toEqual([]);
  expect(toneOfLine('Every call to the platform fails since 2026-01-02T03:04Z (12 min).')).toBe('bad');
  expect(toneOfLine('The platform fails 3 of 4 calls since 2026-01-02T03:04Z (12 min).')).toBe('bad');
  const alarms = [{ name: 'drawbridge-production-WebhooksDlq', since: now.toISOString(), part: 'webhooks' as const }];
  expect(badLines({ ...status, quarantined: 1, alarms, queues: [dead] })).toEqual([
    'alarms that are on',
    'quarantined',
    'undelivered, not stored yet',
    'WebhooksDlq',
  ]);
});

it('begins the status with an outage of the platform, within the width of the terminal', () => {
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
    hasEventList: true,
  };
  const screen = formatStatus({ ...status, outage }, now, 80);
  expect(screen.split('\n\n')[0]).toBe(
    [
      'Every call to the platform fails since 2026-01-02T03:04Z (12 min).',
      'Failed calls: List undelivered webhooks (48), Create natural person (3).',
      '2 onboardings wait for the platform.',
      'The last webhook came 15 min ago, at 2026-01-02T03:01Z.',
      'Drawbridge retries each call, and continues by itself once the platform answers.',
    ].join('\n'),
  );
});

it('fits the status into 80 columns with an outage, every alarm, long names, and parts that are not known', () => {
  const operations = calledOperations.map((operation) => ({ operation, failed: 1_234 }));
  const outage = { since: '2026-01-01T00:00:00.000Z', calls: 51_000, failed: 50_999, operations };
  const alarms = ['OnboardingsStalled', ...Array.from({ length: 30 }, () => 'A'.repeat(50))];
  const reason = `The stack drawbridge-production-service has no output ApiUrl.\nNext: ${'npx cdk deploy --all, '.repeat(5)}`;
  const worst: Status = {
    ...status,
    environment: 'a-long-name-of-an-environment-of-the-bank-in-another-region',
    outage: { ...outage, onboardingsWaiting: 12_345, lastWebhookOn: undefined, hasEventList: undefined },
    alarms: alarms.map((name) => ({ name: `drawbridge-production-${name}`, since: '', part: '' as const })),
    queues: queueNames.map((name) => ({ name, waiting: 1e6, inFlight: 1e6, delayed: 1e6, oldestSeconds: 1e6 })),
    onboardings: openSteps.map((step) => ({ step, count: 1_000, more: true })),
    metrics: null,
    unavailable: [
      { part: 'metrics', reason },
      { part: 'quarantine', reason },
    ],
  };
  const screens = [worst, { ...worst, queues: null, onboardings: null, alarms: null, quarantined: null }].map((one) =>
    formatStatus(one, now, 80),
  );
  const longest = screens.flatMap((screen) => screen.split('\n').map(({ length }) => length));
  expect(Math.max(...longest)).toBeLessThanOrEqual(80);
  expect(screens[0]).toContain('\n  a-long-name-of-an-environment-of-the-bank-in-another-region\n');
});
