import { type Cost, costOf } from './cost-lines.ts';
import { billedDuration } from './lambda-duration.ts';
import type { MeasuredUsage } from './measured-usage.ts';
import type { Region } from './price-list.ts';
import type { Quantities } from './quantities.ts';
import { type Deployment, daysPerMonth } from './read-deployment.ts';

/** Ways to take a webhook to a store and to a bus. */
export const designs = ['Drawbridge', 'middy + Powertools', 'API Gateway → SQS → function'] as const;

export type Design = (typeof designs)[number];

export type ComparedCostProps = {
  readonly deployment: Deployment;
  readonly measured: MeasuredUsage;
  readonly region: Region;
  /** Webhooks in an invocation of `store`. */
  readonly webhooksPerBatch: 1 | 10;
};

/** The highest ratios of the cost of Drawbridge that are wanted. */
export const costTargets = { reference: 0.5, floor: 1.15 } as const;

const million = 1_000_000;
const bytesPerGigabyte = 1_024 ** 3;

/** Bytes that Lambda logs for an invocation in its format for text, with what CloudWatch adds: START, END and REPORT. */
const textLogBytes = 330;

/** What SQS is asked for a batch: to receive and to delete it. */
const requestsPerBatch = 2;

/** What a million webhooks cost beyond what an environment costs anyway. Storage and traces are left out: they are the same. */
export function comparedCost(design: Design, props: ComparedCostProps): Cost {
  return costOf(quantitiesOf(design, props), props.region);
}

function quantitiesOf(
  design: Design,
  { deployment, measured, webhooksPerBatch }: ComparedCostProps,
): Partial<Quantities> {
  const { receive, store, storeTen } = design === 'middy + Powertools' ? measured.reference : measured.drawbridge;
  const batch = webhooksPerBatch === 1 ? store : storeTen;
  const hasReceive = design !== 'API Gateway → SQS → function';
  const batches = million / webhooksPerBatch;
  const memoryOf = (name: string) =>
    (deployment.functions.find((one) => one.name === name)?.memoryGigabytes ?? 1) * 1_024;
  const [receiveMemory, storeMemory] = [memoryOf('receive'), memoryOf('store')];
  const receiveMs = hasReceive ? million * billedDuration(receive, receiveMemory, receive.requests) : 0;
  const storeMs = batches * billedDuration(batch, storeMemory, store.requests);
  const invocations = (hasReceive ? million : 0) + batches;
  const logged = {
    Drawbridge: million * (receive.logBytes + deployment.accessLogBytes) + batches * batch.logBytes,
    'middy + Powertools': million * receive.logBytes + batches * batch.logBytes + invocations * textLogBytes,
    'API Gateway → SQS → function': 0,
  }[design];
  return {
    httpRequest: million,
    invocation: invocations,
    gigabyteSecond: (receiveMs * receiveMemory + storeMs * storeMemory) / 1_024 / 1_000,
    // API Gateway, too, sends each message with a request.
    queueRequest: million + batches * requestsPerBatch,
    writeUnit: batches * batch.writeUnits,
    readUnit: batches * batch.readUnits,
    busEvent: million,
    loggedGigabyte: logged / bytesPerGigabyte,
    logStorage: ((logged / bytesPerGigabyte) * deployment.logRetentionDays) / daysPerMonth,
  };
}

export type CostVerdict = {
  readonly what: string;
  readonly ratio: number;
  readonly target: number;
  readonly isMet: boolean;
};

/** The cost of Drawbridge as a ratio to the reference and to the floor. */
export function judgeCost(props: ComparedCostProps): readonly CostVerdict[] {
  const [own, reference, floor] = designs.map((design) => comparedCost(design, props).usd);
  const verdict = (what: string, other: number | undefined, target: number): CostVerdict => {
    const ratio = (own ?? Number.NaN) / (other ?? Number.NaN);
    return { what, ratio, target, isMet: ratio <= target };
  };
  return [
    verdict('cost ÷ middy + Powertools', reference, costTargets.reference),
    verdict('cost ÷ API Gateway → SQS → function', floor, costTargets.floor),
  ];
}
