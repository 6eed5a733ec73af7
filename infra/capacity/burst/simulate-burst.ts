import TinyQueue from 'tinyqueue';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { type BurstModel, batchSize, drainSeconds, pageSize, storeTimeLimit } from './burst-model.ts';
import { createTokenBucket } from './token-bucket.ts';

/** The state at the end of a second. Counts are of webhooks. */
export type BurstSecond = {
  /** Since the burst began. */
  readonly second: number;
  /** Since the burst began: delivered by the platform, answered 200, and refused with 429 or 503. */
  readonly delivered: number;
  readonly accepted: number;
  readonly throttled: number;
  readonly unavailable: number;
  /** Refused, and not drained yet. */
  readonly undelivered: number;
  /** In the webhooks queue, and the age of the oldest one in seconds. */
  readonly queued: number;
  readonly oldestSeconds: number;
  readonly stored: number;
  readonly receiveInstances: number;
  readonly storeBatches: number;
};

/** The burst does not fit the model. */
export class BurstModelError extends DrawbridgeError {
  override readonly name = 'BurstModelError';
}

type Step = { readonly at: number; readonly order: number; readonly run: (at: number) => void };

/** Milliseconds of deliveries that are one step. */
const deliveryStep = 10;

/**
 * Simulates a burst after an idle hour, event by event, until every webhook is stored: each delivery, each batch of `store`,
 * and each page of `drain`. No instance is warm when it begins. The same model gives the same seconds.
 *
 * @throws {BurstModelError} when a batch of `store` would exceed its time limit, which the model does not cover
 */
export function simulateBurst(model: BurstModel): readonly BurstSecond[] {
  const steps = new TinyQueue<Step>([], (one, other) => one.at - other.at || one.order - other.order);
  let order = 0;
  const schedule = (at: number, run: Step['run']) => {
    order += 1;
    steps.push({ at, order, run });
  };

  const { durations } = model;
  const gateway = createTokenBucket(model.throttle);
  const newReceivers = createTokenBucket(model.newInstances);
  const events = createTokenBucket(model.writeUnits);
  const entities = createTokenBucket(model.writeUnits);
  const bus = createTokenBucket(model.putEvents);

  const total = Math.round(model.webhooksPerSecond * model.burstSeconds);
  let [delivered, accepted, throttled, unavailable, drained, stored] = [0, 0, 0, 0, 0, 0];
  let [instances, idleReceivers] = [0, 0];
  let [batches, warmStores, pollers] = [0, 0, model.pollers.first];
  let queued = 0;
  const queue: { readonly at: number; count: number }[] = [];
  let head = 0;

  const enqueue = (at: number, count: number) => {
    queue.push({ at, count });
    queued += count;
    startBatches(at);
  };

  const deliver = (at: number) => {
    const due = Math.min(total, Math.round(((at + deliveryStep) * model.webhooksPerSecond) / 1_000)) - delivered;
    delivered += due;
    const passed = gateway.take(at, due);
    throttled += due - passed;
    const warm = Math.min(passed, idleReceivers);
    const cold = newReceivers.take(at, Math.min(passed - warm, model.receiveConcurrency - instances));
    unavailable += passed - warm - cold;
    instances += cold;
    idleReceivers -= warm;
    receive(at + durations.receive, warm);
    receive(at + durations.receive + durations.receiveColdStart, cold);
    if (delivered < total) schedule(at + deliveryStep, deliver);
  };

  const receive = (at: number, count: number) => {
    if (count === 0) return;
    schedule(at, (now) => {
      idleReceivers += count;
      accepted += count;
      enqueue(now, count);
    });
  };

  const takeBatch = () => {
    let count = 0;
    while (count < batchSize && head < queue.length) {
      const first = queue[head];
      if (first === undefined) break;
      const taken = Math.min(batchSize - count, first.count);
      count += taken;
      first.count -= taken;
      if (first.count === 0) head += 1;
    }
    queued -= count;
    return count;
  };

  const startBatches = (at: number) => {
    while (batches < Math.min(pollers, model.storeConcurrency) && queued > 0) {
      const count = takeBatch();
      batches += 1;
      const isCold = warmStores < batches;
      if (isCold) warmStores += 1;
      const work = durations.storeBatch + count * durations.storeWebhook + (isCold ? durations.storeColdStart : 0);
      const waits = Math.max(events.reserve(at, count), entities.reserve(at, count), bus.reserve(at, 1));
      if (work + waits > storeTimeLimit)
        throw new BurstModelError('A batch would exceed the time limit of store: lower storeConcurrency.');
      schedule(at + work + waits, (now) => {
        batches -= 1;
        stored += count;
        startBatches(now);
      });
    }
  };

  const undelivered = () => throttled + unavailable - drained;
  const drainPage = (at: number) => {
    const count = Math.min(pageSize, undelivered());
    if (count === 0) return schedule(nextRun(at), drainPage);
    drained += count;
    enqueue(at, count);
    schedule(at + durations.drainPage, drainPage);
  };

  const seconds: BurstSecond[] = [];
  const keepSecond = (at: number) => {
    const oldest = queue[head]?.at;
    seconds.push({
      second: at / 1_000,
      ...{ delivered, accepted, throttled, unavailable, undelivered: undelivered(), queued, stored },
      oldestSeconds: oldest === undefined ? 0 : (at - oldest) / 1_000,
      receiveInstances: instances,
      storeBatches: batches,
    });
  };
  const endSecond = (at: number) => {
    if (queued > 0) pollers += model.pollers.perMinute / 60;
    startBatches(at);
    keepSecond(at);
    schedule(at + 1_000, endSecond);
  };

  schedule(0, deliver);
  schedule(1_000, endSecond);
  schedule(nextRun(0), drainPage);
  let endedAt = 0;
  while (stored < total) {
    const step = steps.pop();
    if (step === undefined) break;
    step.run(step.at);
    endedAt = step.at;
  }
  keepSecond(Math.ceil(endedAt / 1_000) * 1_000);
  return seconds;
}

function nextRun(at: number): number {
  return (Math.floor(at / (drainSeconds * 1_000)) + 1) * drainSeconds * 1_000;
}
