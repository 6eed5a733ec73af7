import { expect, it } from 'vitest';
import { formatStatus } from '#cli/status/format-status.ts';

it('cli status shows the age of the oldest undelivered record in one unit, and what is not known as such', () => {
  const screen = formatStatus({
    environment: 'production',
    version: '0.2.0',
    queues: [],
    onboardings: [],
    quarantined: 0,
    metrics: {
      EventsStored: 12,
      DuplicateDeliveries: 0,
      EntityChanges: 9,
      UndeliveredFound: 3,
      OldestUndeliveredAge: 235.375,
      DriftFound: null,
    },
    alarms: [],
    unavailable: [],
  });
  expect(screen).toMatch(/^undelivered on the platform +3$/m);
  expect(screen).toMatch(/^oldest undelivered +3 min$/m);
  expect(screen).toMatch(/^drift found in the last day +not known$/m);
});
