import { expect, it } from 'vitest';
import { assessOverview } from '#cli/console/overview/assess-overview.ts';
import type { Overview } from '#cli/console/overview/read-overview.ts';

const now = '2026-01-02T12:00:00Z';
const queue = (
  name: NonNullable<Overview['queues']>[number]['name'],
  waiting = 0,
  oldestSeconds: number | null = null,
) => ({
  name,
  waiting,
  inFlight: 0,
  delayed: 0,
  oldestSeconds,
});

const quiet: Overview = {
  now,
  queues: [queue('Webhooks'), queue('WebhooksDlq'), queue('Onboarding'), queue('OnboardingDlq')],
  onboardings: [{ step: 'AWAITING_VIDEO_CALL', count: 2, more: false }],
  quarantined: 0,
  hasMoreQuarantined: false,
  token: { hasToken: true, storedOn: '2026-01-02T11:30:00Z', versionId: 'v1' },
  metrics: {
    EventsStored: 120,
    DuplicateDeliveries: 3,
    EntityChanges: 90,
    UndeliveredUnstored: 0,
    UndeliveredNow: 2,
    DriftFound: null,
  },
  alarms: [],
  outage: null,
  unavailable: [],
};

const needsOf = (overview: Partial<Overview>) =>
  assessOverview({ ...quiet, ...overview }).needs.map(({ text }) => text);

it('needs no operator while onboardings wait for persons', () => {
  const { needs, components } = assessOverview(quiet);
  expect(needs).toEqual([]);
  expect(components).toMatchObject({
    advance: { value: '2 open', tone: 'busy' },
    token: { value: '30 min old', tone: 'idle' },
    webhooks: { value: '0 waiting', tone: 'idle' },
    receive: { value: '120 events/h', tone: 'busy' },
    reconcile: { value: 'not run yet', tone: 'idle' },
    drain: { value: '2 to be marked', tone: 'busy' },
    platform: { value: 'answers', tone: 'idle' },
  });
});

it('shows how long the oldest message of a queue has waited', () => {
  const { components } = assessOverview({
    ...quiet,
    queues: [queue('Webhooks', 1_200, 754), queue('Onboarding', 0, 3)],
  });
  expect([components['webhooks']?.value, components['onboarding']?.value]).toEqual([
    '1,200 waiting, 12 min',
    '0 waiting',
  ]);
});

it('needs an operator for dead letters, a quarantine, a stopped onboarding and a missing token', () => {
  expect(
    needsOf({
      queues: [queue('WebhooksDlq', 3), queue('MissedRuns', 1)],
      quarantined: 1,
      onboardings: [{ step: 'STOPPED', count: 1, more: false }],
      token: { hasToken: false, storedOn: undefined, versionId: undefined },
    }),
  ).toEqual([
    '3 messages in WebhooksDlq',
    '1 message in MissedRuns',
    '1 event in quarantine',
    '1 onboarding is stopped',
    'There is no platform token yet',
  ]);
});

it('shows an alarm on the component that it concerns', () => {
  const alarms = [{ name: 'drawbridge-production-UndeliveredOld', since: now, part: 'drain' as const }];
  const { needs, components } = assessOverview({ ...quiet, alarms });
  expect(needs.map(({ text }) => text)).toEqual(['The alarm UndeliveredOld is on']);
  expect(components['drain']).toMatchObject({ value: 'UndeliveredOld', tone: 'bad' });
});

it('shows that Drain waits for the platform while an outage keeps it from reading the list', () => {
  const counts = { operations: [], onboardingsWaiting: 0, lastWebhookOn: null, hasEventList: true };
  const outage = { since: '2026-01-01T11:00:00Z', calls: 9, failed: 9, ...counts, title: 'It is out.', details: [] };
  const metrics = quiet.metrics && { ...quiet.metrics, UndeliveredUnstored: null };
  const { components } = assessOverview({ ...quiet, outage, metrics });
  expect(components).toMatchObject({
    drain: { value: 'waits for the platform', tone: 'warn' },
    platform: { value: 'fails for over a day', tone: 'bad' },
  });
});

it('claims nothing about a part that could not be read', () => {
  const { needs, components } = assessOverview({
    ...quiet,
    queues: undefined,
    onboardings: undefined,
    quarantined: undefined,
    alarms: undefined,
    token: undefined,
    metrics: undefined,
    outage: undefined,
  });
  expect(needs).toEqual([]);
  const ofEvents = ['receive', 'webhooks', 'store', 'tables', 'bus', 'drain', 'reconcile'];
  const parts = ['platform', ...ofEvents, 'onboarding', 'advance', 'refresh', 'token'];
  expect(parts.map((part) => components[part]?.value)).toEqual(parts.map(() => '–'));
});

it('does not know whether an operator is needed while the API does not answer', () => {
  const reason = 'The API does not answer.';
  const { isBlind, components } = assessOverview({ ...quiet, unavailable: [{ part: 'quarantine', reason }] });
  expect([isBlind, components['api']?.tone, components['query']?.tone]).toEqual([true, 'bad', 'bad']);
  expect(assessOverview({ ...quiet, unavailable: [{ part: 'token', reason }] }).isBlind).toBe(false);
});

it('names a quarantine once, though its alarm is on, too', () => {
  const alarms = [{ name: 'drawbridge-local-EventsQuarantined', since: now, part: 'tables' as const }];
  expect(needsOf({ quarantined: 2, alarms })).toEqual(['2 events in quarantine']);
  expect(needsOf({ quarantined: 0, alarms })).toEqual(['The alarm EventsQuarantined is on']);
});
