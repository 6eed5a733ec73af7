import { setImmediate as settle } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createOverviewSampler } from '#cli/console/live/overview-sampler.ts';
import type { Overview } from '#cli/console/overview/read-overview.ts';

const overview: Overview = {
  now: '',
  quarantined: 0,
  hasMoreQuarantined: false,
  queues: [],
  onboardings: [],
  alarms: [],
  outage: null,
  metrics: undefined,
  token: undefined,
  unavailable: [],
};

/** A sampler whose reads and intervals end when the test says so. */
function createSampler() {
  const reads: PromiseWithResolvers<Overview>[] = [];
  const waits: (() => void)[] = [];
  const sampler = createOverviewSampler({
    interval: 3_000,
    read: () => {
      const read = Promise.withResolvers<Overview>();
      reads.push(read);
      return read.promise;
    },
    wait: (_, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve());
        waits.push(resolve);
      }),
  });
  return {
    sampler,
    reads: () => reads.length,
    answer: async (now: string) => {
      reads.at(-1)?.resolve({ ...overview, now });
      await settle();
    },
    fail: async () => {
      reads.at(-1)?.reject(new Error('CloudWatch does not answer.'));
      await settle();
    },
    passInterval: async () => {
      for (const end of waits.splice(0)) end();
      await settle();
    },
  };
}

function createWindow() {
  const seen: string[] = [];
  return { seen, listen: ({ now }: Overview) => seen.push(now) };
}

it('reads once for all windows: for those that are there, a later one, and one that asks', async () => {
  const { sampler, reads, answer, passInterval } = createSampler();
  const [first, second, third] = [createWindow(), createWindow(), createWindow()];
  sampler.subscribe(first.listen);
  sampler.subscribe(second.listen);
  const asked = sampler.read();
  await answer('1');
  sampler.subscribe(third.listen);
  expect([(await asked).now, (await sampler.read()).now, reads()]).toEqual(['1', '1', 1]);
  // The time for the page, and the interval.
  await passInterval();
  expect(reads()).toBe(1);
  await passInterval();
  await answer('2');
  expect([first.seen, second.seen, third.seen]).toEqual([
    ['1', '2'],
    ['1', '2'],
    ['1', '2'],
  ]);
  expect(reads()).toBe(2);
  sampler.close();
});

it('begins after the page of the first window, stops with the last window, and reads again for the next one', async () => {
  const { sampler, reads, answer, passInterval } = createSampler();
  const leave = sampler.subscribe(createWindow().listen);
  expect(reads()).toBe(0);
  await passInterval();
  await answer('1');
  leave();
  await passInterval();
  expect(reads()).toBe(1);
  const next = createWindow();
  sampler.subscribe(next.listen);
  await passInterval();
  expect([next.seen, reads()]).toEqual([[], 2]);
  await answer('2');
  expect(next.seen).toEqual(['2']);
  sampler.close();
});

it('forgets an overview that could not be read again', async () => {
  const { sampler, reads, answer, fail, passInterval } = createSampler();
  sampler.subscribe(createWindow().listen);
  await passInterval();
  await answer('1');
  await passInterval();
  await fail();
  const asked = sampler.read();
  expect(reads()).toBe(3);
  await answer('3');
  expect((await asked).now).toBe('3');
  sampler.close();
});
