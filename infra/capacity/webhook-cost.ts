import { assumptions } from '#infra/cost/assumptions.ts';
import { type CostTableProps, costColumns } from '#infra/cost/cost-table.ts';
import { batchSize } from './burst/burst-model.ts';

/** What grows with the months that a webhook is kept, not with its arrival. */
const isStorage = (name: string) => /storage|recovery/.test(name);

const million = 1_000_000;

/** US dollars for one more webhook in full batches, without its storage. */
export function usdPerWebhook(props: Omit<CostTableProps, 'volumes' | 'assumptions'>): number {
  const inBatches = { ...assumptions, webhooksPerBatch: batchSize };
  // The first of each second is traced: volumes at which each second has some.
  const volumes = [100 * million, 200 * million];
  const [less, more] = costColumns({ ...props, entities: 0, assumptions: inBatches, volumes }).map(({ lines }) =>
    lines.filter(({ name }) => !isStorage(name)).reduce((sum, { usd }) => sum + usd, 0),
  );
  return ((more ?? 0) - (less ?? 0)) / (100 * million);
}
