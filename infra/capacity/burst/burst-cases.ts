import { durations } from '#infra/capacity/assumed-durations.ts';
import { quotas } from '#infra/capacity/quotas.ts';
import type { Region } from '#infra/cost/price-list.ts';
import type { BurstModel } from './burst-model.ts';

export type BurstCase = {
  readonly name: string;
  /** What was raised, as an operator would say it. */
  readonly raised: string;
  readonly model: BurstModel;
};

export type CaseSettings = {
  readonly webhookThrottle: { readonly rate: number; readonly burst: number };
  readonly storeConcurrency: number;
};

/** A burst of 10,000 webhooks a second for a minute. */
export const burst = { webhooksPerSecond: 10_000, burstSeconds: 60 } as const;

/** Executions that the other functions use. */
const otherExecutions = 50;

/**
 * The burst with the settings of an environment, then with the throttle raised, then with the slowest part raised too.
 *
 * @param region whose default quotas apply
 */
export function burstCases(settings: CaseSettings, region: Region): readonly BurstCase[] {
  const quota = (name: keyof typeof quotas) => quotas[name].values[region][0];
  const atOnce = (perSecond: number) => ({ rate: perSecond, burst: perSecond });
  const model = (throttle: BurstModel['throttle'], storeConcurrency: number, writeUnits: number): BurstModel => ({
    ...burst,
    throttle,
    receiveConcurrency: quota('executions') - storeConcurrency - otherExecutions,
    newInstances: { rate: quota('newInstances') / 10, burst: quota('newInstances') },
    storeConcurrency,
    pollers: { first: quota('firstBatches'), perMinute: quota('batchesPerMinute') },
    writeUnits: atOnce(writeUnits),
    putEvents: atOnce(quota('putEvents')),
    durations,
  });
  const newTable = quota('tableWrites');
  const raisedThrottle = { rate: quota('apiRequests'), burst: quota('apiBurst') };
  return [
    {
      name: 'the settings as they are',
      raised: 'nothing',
      model: model(settings.webhookThrottle, settings.storeConcurrency, newTable),
    },
    {
      name: 'throttle raised',
      raised: '`webhookThrottle` to the quota of the account: 10,000 requests a second, 5,000 in a burst',
      model: model(raisedThrottle, settings.storeConcurrency, newTable),
    },
    {
      name: 'throttle, store and tables raised',
      raised: 'also `storeConcurrency` to 250, and the warm throughput of both tables to 12,000 write units',
      model: model(raisedThrottle, 250, 12_000),
    },
  ];
}
