import { type Cost, costOf } from './cost-lines.ts';
import { billedDuration } from './lambda-duration.ts';
import type { MeasuredInvocation, MeasuredUsage } from './measured-usage.ts';
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
  const invocations = (hasReceive ? million : 0) + batches;
  const ofReceive = hasReceive ? gigabyteSeconds(deployment, 'receive', million, receive, receive) : 0;
  const ofFunctions = million * receive.logBytes + batches * batch.logBytes;
  const logged = {
    Drawbridge: ofFunctions + million * deployment.accessLogBytes,
    'middy + Powertools': ofFunctions + invocations * textLogBytes,
    'API Gateway → SQS → function': 0,
  }[design];
  return {
    httpRequest: million,
    invocation: invocations,
    gigabyteSecond: ofReceive + gigabyteSeconds(deployment, 'store', batches, batch, store),
    // API Gateway, too, sends each message with a request.
    queueRequest: million + batches * requestsPerBatch,
    writeUnit: batches * batch.writeUnits,
    readUnit: batches * batch.readUnits,
    busEvent: million,
    ...logQuantities(deployment, logged),
  };
}

/** @param oneAfterAnother an invocation whose requests wait for each other as those of this one do */
function gigabyteSeconds(
  { functions }: Deployment,
  name: string,
  invocations: number,
  invocation: MeasuredInvocation,
  oneAfterAnother: MeasuredInvocation,
): number {
  const gigabytes = functions.find((one) => one.name === name)?.memoryGigabytes ?? 1;
  return (invocations * billedDuration(invocation, gigabytes * 1_024, oneAfterAnother.requests) * gigabytes) / 1_000;
}

function logQuantities({ logRetentionDays }: Deployment, bytes: number): Partial<Quantities> {
  const gigabytes = bytes / bytesPerGigabyte;
  return { loggedGigabyte: gigabytes, logStorage: (gigabytes * logRetentionDays) / daysPerMonth };
}

/** A part of the cost of a million webhooks, in US dollars. */
export type CostPart = { readonly what: string; readonly usd: number };

/** What Drawbridge costs beyond the floor: what checks the secret, and what is logged. */
export function partsAboveFloor({
  deployment,
  measured,
  region,
  webhooksPerBatch,
}: ComparedCostProps): readonly CostPart[] {
  const { receive, store, storeTen } = measured.drawbridge;
  const batch = webhooksPerBatch === 1 ? store : storeTen;
  const functionLogBytes = million * receive.logBytes + (million / webhooksPerBatch) * batch.logBytes;
  const part = (what: string, quantities: Partial<Quantities>): CostPart => ({
    what,
    usd: costOf(quantities, region).usd,
  });
  return [
    part('requests of `receive`', { invocation: million }),
    part('duration of `receive`', {
      gigabyteSecond: gigabyteSeconds(deployment, 'receive', million, receive, receive),
    }),
    part('log lines of the functions, with storage', logQuantities(deployment, functionLogBytes)),
    part('access log, with storage', logQuantities(deployment, million * deployment.accessLogBytes)),
  ];
}

/** What every design pays for the work of Drawbridge, before any function runs and any line is logged. In US dollars. */
export function costOfServices(props: ComparedCostProps): number {
  const services: readonly string[] = ['httpRequest', 'queueRequest', 'writeUnit', 'readUnit', 'busEvent'];
  const { lines } = comparedCost('Drawbridge', props);
  return lines.filter(({ price }) => services.includes(price)).reduce((sum, { usd }) => sum + usd, 0);
}

export type CostVerdict = {
  readonly what: string;
  /** What the cost is compared with. */
  readonly of: keyof typeof costTargets;
  readonly ratio: number;
  readonly target: number;
  readonly isMet: boolean;
};

/** The cost of Drawbridge as a ratio to the reference and to the floor. */
export function judgeCost(props: ComparedCostProps): readonly CostVerdict[] {
  const [own, reference, floor] = designs.map((design) => comparedCost(design, props).usd);
  const verdict = (what: string, of: CostVerdict['of'], other: number | undefined): CostVerdict => {
    const [ratio, target] = [(own ?? Number.NaN) / (other ?? Number.NaN), costTargets[of]];
    return { what, of, ratio, target, isMet: ratio <= target };
  };
  return [
    verdict('cost ÷ middy + Powertools', 'reference', reference),
    verdict('cost ÷ API Gateway → SQS → function', 'floor', floor),
  ];
}
