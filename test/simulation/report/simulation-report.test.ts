import { describe, expect, it } from 'vitest';
import { promises } from '#test/simulation/promises/promise.ts';
import { createTally } from '#test/simulation/promises/tally.ts';
import { createPlatformAppForAll } from '#test/simulation/system/platform-app.ts';
import { chooseHistory, writeSimulationReport } from './write-report.ts';

const deps = { app: createPlatformAppForAll() };

describe('the report of a simulation', () => {
  it('shows each promise with its checks, each fault, and one history with its faults', async () => {
    const tally = createTally();
    tally.judged(4, 1_234);
    const result = {
      done: 40,
      counts: new Map([['cold start', 7] as const]),
      judgements: tally.judgements(),
      failures: [],
    };
    const shown = await chooseHistory(1, deps);
    const page = await writeSimulationReport({ result, seed: 1, seconds: 4, shown }, deps);
    for (const text of ['No promise was broken.', '1,234', 'cold start', `History of seed ${shown.seed}`])
      expect(page).toContain(text);
    for (const promise of Object.values(promises)) expect(page).toContain(promise.split(';')[0]);
    expect(page.match(/<span class="fault">/g)?.length).toBeGreaterThanOrEqual(3);
  });

  it('says how many histories failed, and which promise they broke', async () => {
    const broken = { promise: 5, what: 'A record is marked.' } as const;
    const failures = [{ options: { seed: 3 }, broken }];
    const result = { done: 40, counts: new Map(), judgements: createTally().judgements(), failures };
    const shown = { seed: 3, kinds: [], leftOut: [] };
    const page = await writeSimulationReport({ result, seed: 1, seconds: 4, shown }, deps);
    expect(page).toContain('FAILED: 1 of 40 histories');
    expect(page).toMatch(/<tr class="fails"><td>5<\/td>/);
  });
});
