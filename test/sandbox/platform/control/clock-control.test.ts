import { beforeEach, describe, expect, it } from 'vitest';
import { refusal, startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

let platform: TestPlatform;
beforeEach(() => {
  platform = startPlatform();
});

const advance = (seconds: unknown) => platform.request('POST', '/control/clock/advance', { body: { seconds } });

describe('sandbox platform: the clock over the control API', () => {
  it('advances the clock and answers when all due work is done', async () => {
    const done: string[] = [];
    platform.clock.after(60, async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      done.push('due');
    });
    expect((await advance(90.5)).body).toEqual({ now: '2026-11-21T08:01:30.500Z', isFrozen: true });
    expect(done).toEqual(['due']);
  });

  it('rejects an advance beyond the last date-time', async () => {
    platform = startPlatform({ frozenAt: new Date('9999-12-31T00:00:00Z') });
    expect(await advance(86_400)).toEqual(refusal(400, 'BAD_REQUEST', 'seconds: leads beyond the year 9999.'));
    expect((await advance(86_399)).status).toBe(200);
  });
});
