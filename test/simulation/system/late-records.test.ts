import { expect, it } from 'vitest';
import { createSettings } from '#sandbox/platform/core/settings-store.ts';
import { createUndeliveredWebhooks } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import { createFaults } from '#test/simulation/faults/faults.ts';
import { createLateRecords } from './late-records.ts';
import { simulatedProfile } from './platform-app.ts';

const { settle } = simulatedProfile.undelivered;

/** A list in which one record comes late, and a newer one does not; which of them it shows at a time, by their numbers. */
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

const late: FaultKind = 'undelivered record comes to light late';

it('shows what there is where none comes late', () => {
  expect(startList([]).listedAt(0)).toEqual([]);
});

it('shows a newer record first, and the older one once the time of the profile is over', () => {
  const { listedAt, faults } = startList([late]);
  expect(listedAt(0)).toEqual(['2']);
  faults.end();
  expect(listedAt(settle)).toEqual(['1', '2']);
});

it('hides records of another system as well, where there are any', () => {
  const { listedAt, bodies } = startList([late, 'undelivered record of another system']);
  for (let at = 0; at < 20; at += 1) listedAt(at);
  expect(new Set(bodies())).toEqual(new Set(['', elsewhere]));
  expect(listedAt(20)).not.toContain('1');
});

it('hides none for so long that two clocks of ours could take it for longer', () => {
  const { listedAt, faults } = startList([late, 'clock skew']);
  expect(listedAt(0)).toEqual(['2']);
  faults.end();
  expect(listedAt(settle - 40_000)).toEqual(['1', '2']);
});
