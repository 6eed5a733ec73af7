import { setTimeout as wait } from 'node:timers/promises';
import type { PlotData } from '#sandbox/report/plot-data.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { countMessages } from '#sandbox/scenario/common/queues.ts';

/** In milliseconds of real time. */
const interval = 200;

type Sample = {
  /** The time of the platform. */
  readonly time: Date;
  /** Since the scenario started. */
  readonly seconds: number;
  readonly undelivered: number;
  readonly waiting: number;
  readonly deadLetters: number;
};

/** A curve for each number: by the time of the platform, and by the seconds since the scenario started. */
export type Depths = { readonly byTime: PlotData; readonly bySeconds: PlotData };

export type DepthWatch = {
  /** Ends the measurement. */
  readonly end: () => Promise<Depths>;
};

/** Measures what waits on the platform and in the queues, several times a second. */
export function watchDepths({ host, platform }: Pick<Sandbox, 'host' | 'platform'>, seconds: () => number): DepthWatch {
  const samples: Sample[] = [];
  let isOver = false;

  async function sample(): Promise<void> {
    const [waiting, deadLetters] = await Promise.all([
      countMessages(host, 'work'),
      countMessages(host, 'dead letters'),
    ]);
    samples.push({
      time: platform.clock.now(),
      seconds: seconds(),
      undelivered: platform.undelivered.count(),
      waiting,
      deadLetters,
    });
  }

  async function measure(): Promise<void> {
    while (!isOver) {
      await sample();
      await wait(interval);
    }
    await sample();
  }

  const measured = measure();
  return {
    end: async () => {
      isOver = true;
      await measured;
      const curves = numbers.map(({ name, value }) => ({ name, values: samples.map(value) }));
      return {
        byTime: { axis: 'time', at: samples.map(({ time }) => time.getTime() / 1_000), curves },
        bySeconds: { axis: 'seconds', at: samples.map((one) => one.seconds), curves },
      };
    },
  };
}

const numbers: readonly { readonly name: string; readonly value: (sample: Sample) => number }[] = [
  { name: 'undelivered on the platform', value: ({ undelivered }) => undelivered },
  { name: 'messages in queues', value: ({ waiting }) => waiting },
  { name: 'dead letters', value: ({ deadLetters }) => deadLetters },
];
