import { expect, it } from 'vitest';
import { createSettings } from '#sandbox/platform/core/settings.ts';
import { createUndeliveredWebhooks } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import { createFaults } from '#test/simulation/faults/faults.ts';
import { createLateRecords } from './late-records.ts';
import { simulatedProfile } from './platform-app.ts';

const { settle } = simulatedProfile.undelivered;
const records = 20;

/** A list of some records that were created at 0; how many it shows at a time. */
function startList(kinds: readonly FaultKind[]) {
  let now = 0;
  const undelivered = createUndeliveredWebhooks({
    timestamp: () => new Date(0).toISOString(),
    newId: () => crypto.randomUUID(),
    settings: createSettings({}),
  });
  const webhook = { id: '', eventType: 'E', url: '', headers: [], createdOn: '', modifiedOn: '' };
  for (let left = records; left > 0; left -= 1) undelivered.add({ webhook, body: '', errorMessage: '' });
  const faults = createFaults({ seed: 1, kinds, intensity: 1, suppressed: new Set() });
  const list = createLateRecords({ undelivered, faults, scheduler: { now: () => now } });
  return (at: number) => {
    now = at;
    return list({ limit: 100, cursor: undefined }).data.length;
  };
}

const late: FaultKind = 'undelivered record comes to light late';

it('shows all where none comes late', () => {
  expect(startList([])(0)).toBe(records);
});

it('hides some for a while, each until the time of the profile is over', () => {
  const shownAt = startList([late]);
  const shown = [0, settle / 2, settle].map(shownAt);
  expect(shown).toEqual(shown.toSorted((one, other) => one - other));
  expect(new Set(shown).size).toBe(3);
  expect(shown[2]).toBe(records);
});

it('hides none for so long that two clocks of ours could take it for longer', () => {
  expect(startList([late, 'clock skew'])(settle - 40_000)).toBe(records);
});

it('shows what was listed at once from then on', () => {
  const shownAt = startList([late]);
  expect(shownAt(settle)).toBe(records);
  expect(shownAt(0)).toBe(records);
});
