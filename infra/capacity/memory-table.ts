import { billedDuration, cpuDuration, processorShare } from '#infra/cost/lambda-duration.ts';
import type { MeasuredInvocation, MeasuredUsage } from '#infra/cost/measured-usage.ts';
import { prices, type Region } from '#infra/cost/price-list.ts';
import { memorySizes } from '#infra/webhook-ingest/memory-sizes.ts';
import type { CapacityTable } from './capacity-tables.ts';

/** In megabytes. With the last size a function has a whole processor: more makes one thread no faster. */
const comparedSizes = [256, 512, 1_024, 1_769] as const;

/** A rate at which instances are counted, in webhooks a second. */
export const comparedRate = 1_000;

const million = 1_000_000;

/** What `receive` and `store` take with each size of memory. The deployed size is bold. */
export function memoryTables(
  { drawbridge: { receive, store, storeTen } }: Pick<MeasuredUsage, 'drawbridge'>,
  region: Region,
): Readonly<Record<'receive' | 'store', CapacityTable>> {
  const usd = (megabytes: number, milliseconds: number, invocations: number) => {
    const { gigabyteSecond, invocation } = prices;
    const gigabyteSeconds = (invocations * milliseconds * megabytes) / 1_024 / 1_000;
    const duration = (gigabyteSeconds / gigabyteSecond.amount) * gigabyteSecond.usd[region][0];
    return (duration + (invocations / invocation.amount) * invocation.usd[region][0]).toFixed(2);
  };
  const instances = (milliseconds: number, webhooksPerBatch: number) =>
    String(Math.ceil((comparedRate / webhooksPerBatch) * (milliseconds / 1_000)));
  const cold = ({ coldCpuMs }: MeasuredInvocation, megabytes: number) => cpuDuration(coldCpuMs, megabytes).toFixed(0);
  const rows = (deployed: number, cells: (megabytes: number) => readonly (number | string)[]) =>
    comparedSizes.map((megabytes) => {
      const row = [
        megabytes.toLocaleString('en-US'),
        processorShare(megabytes).toFixed(2),
        ...cells(megabytes).map(String),
      ];
      return megabytes === deployed ? row.map((cell) => `**${cell}**`) : row;
    });
  return {
    receive: {
      head: [
        'Megabytes',
        'Processors',
        'A webhook (ms)',
        'First call with load (ms)',
        `Instances at ${comparedRate.toLocaleString('en-US')} a second`,
        'US dollars a million',
      ],
      rows: rows(memorySizes.receive, (megabytes) => {
        const ms = billedDuration(receive, megabytes, receive.requests);
        return [ms, cold(receive, megabytes), instances(ms, 1), usd(megabytes, ms, million)];
      }),
    },
    store: {
      head: [
        'Megabytes',
        'Processors',
        'One webhook (ms)',
        'Ten webhooks (ms)',
        'First call with load (ms)',
        `Instances at ${comparedRate.toLocaleString('en-US')} a second`,
        'US dollars a million, one at a time',
        'in full batches',
      ],
      rows: rows(memorySizes.store, (megabytes) => {
        const one = billedDuration(store, megabytes, store.requests);
        const ten = billedDuration(storeTen, megabytes, store.requests);
        return [
          one,
          ten,
          cold(store, megabytes),
          instances(ten, 10),
          usd(megabytes, one, million),
          usd(megabytes, ten, million / 10),
        ];
      }),
    },
  };
}
