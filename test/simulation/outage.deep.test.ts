import { describe, expect, it } from 'vitest';
import { plantedBug } from './bugs/planted-bugs.ts';
import { awsServices } from './faults/long-failure.ts';
import { runHistory } from './history.ts';
import { runSeeds } from './run-seeds.ts';
import { createPlatformAppForAll } from './system/platform-app.ts';

/** A person who is requested on the bus, onboarded, and erased; and webhooks only. */
const seeds = [36, 10];

describe('a history in which a service of AWS fails for four hours', () => {
  it.each(awsServices.flatMap((outage) => seeds.map((seed) => ({ outage, seed }))))(
    'drains without an operator, and without a dead letter: $outage, seed $seed',
    async ({ outage, seed }) => {
      const { broken, counts } = await runHistory({ seed, kinds: [], outage }, { app: createPlatformAppForAll() });
      expect(broken).toBeUndefined();
      expect(counts.get('call during a failure for hours')).toBeGreaterThan(0);
    },
  );

  // While SQS fails, no message is received.
  it.each(['dynamodb', 'eventbridge', 'secrets-manager'] as const)(
    'leaves a dead letter where a message has ten receives: %s',
    async (outage) => {
      const bug = plantedBug('a message moves to the DLQ after ten receives');
      const { failures } = await runSeeds({ seed: 36, seeds: 1, workers: 1, bug, outage });
      expect(bug.breaks).toContain(failures[0]?.broken?.promise);
    },
  );
});
