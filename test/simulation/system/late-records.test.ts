import { expect, it } from 'vitest';
import { createSettings } from '#sandbox/platform/core/settings-store.ts';
import { createUndeliveredWebhooks } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import { createFaults } from '#test/simulation/faults/faults.ts';
import { createLateRecords } from './late-records.ts';
import { simulatedProfile } from './platform-app.ts';

const { settle } = simulatedProfile.undelivered;

/** A list with one late record and a newer record on time. `listedAt` returns the listed ids at a time. */
function startList(kinds: readonly FaultKind[]) {
  let [now, ids] = [0, 0];
  const undelivered = createUndeliveredWebhooks({
    timestamp: () => new Date(now).toISOString(),
    newId: () => {
      ids += 1;
      return `${ids}`;
    },
    settings: createSettings({}),
  });
  const webhook = { id: '', eventType: 'E', url: '', headers: [], createdOn: '', modifiedOn: '' };
  const failOne = () => undelivered.add({ webhook, body: '', errorMessage: '' });
  const faults = createFaults({ seed: 1, kinds, intensity: 3, suppressed: new Set() });
  const failElsewhere = () => undelivered.add({ webhook, body: elsewhere, errorMessage: '' });
  const list = createLateRecords({ undelivered, faults, failOne, failElsewhere, scheduler: { now: () => now } });
  const listedAt = (at: number) => {
    now = at;
    return list({ limit: 100, cursor: undefined }).data.map(({ id }) => id);
  };
  return { listedAt, faults, bodies: () => undelivered.all().map(({ body }) => body) };
}

const elsewhere = 'elsewhere';

const late: FaultKind = 'undelivered record listed late';

it('lists all records when none is late', () => {
  expect(startList([]).listedAt(0)).toEqual([]);
});

it('lists a newer record first, and the older one after the settle time of the profile', () => {
  const { listedAt, faults } = startList([late]);
  expect(listedAt(0)).toEqual(['2']);
  faults.end();
  expect(listedAt(settle)).toEqual(['1', '2']);
});

it('also hides records of another system when there are any', () => {
  const { listedAt, bodies } = startList([late, 'undelivered record of another system']);
  for (let at = 0; at < 20; at += 1) listedAt(at);
  expect(new Set(bodies())).toEqual(new Set(['', elsewhere]));
  expect(listedAt(20)).not.toContain('1');
});

it('hides no record longer than the settle time minus the clock skew', () => {
  const { listedAt, faults } = startList([late, 'clock skew']);
  expect(listedAt(0)).toEqual(['2']);
  faults.end();
  expect(listedAt(settle - 40_000)).toEqual(['1', '2']);
});
