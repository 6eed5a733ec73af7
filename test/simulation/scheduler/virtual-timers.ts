import type { Scheduler, Task } from './scheduler.ts';

/** A timer of the scheduler, with the methods of Node's timers. */
class VirtualTimeout {
  readonly task: Task;

  constructor(task: Task) {
    this.task = task;
  }

  /** Does nothing: virtual timers never keep the event loop alive. */
  unref(): this {
    return this;
  }
}

/**
 * Replaces `setTimeout`, `clearTimeout` and `AbortSignal.timeout` of this process with timers of the scheduler. The running
 * task owns them. `shared/lambda/handler.ts` and the clock of the sandbox platform use them. Simulations must not overlap.
 *
 * @returns restores the real ones
 */
export function installVirtualTimers(scheduler: Scheduler): () => void {
  const real = { setTimeout, clearTimeout, abortTimeout: AbortSignal.timeout };

  function set(run: () => void, milliseconds = 0): VirtualTimeout {
    return new VirtualTimeout(scheduler.after(milliseconds, run, { owner: scheduler.current() }));
  }

  function clear(timeout: unknown): void {
    if (timeout instanceof VirtualTimeout) scheduler.cancel(timeout.task);
  }

  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  AbortSignal.timeout = (milliseconds) => virtualTimeout(scheduler, milliseconds);
  return () => {
    Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
    AbortSignal.timeout = real.abortTimeout;
  };
}

/** Shared by all timers: to create such an error takes longer than a step. */
const timeIsOver = new DOMException('The time is over.', 'TimeoutError');

/** Like `AbortSignal.timeout`, on virtual time. */
export function virtualTimeout(scheduler: Scheduler, milliseconds: number): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(timeIsOver);
  scheduler.after(milliseconds, abort, { owner: scheduler.current() });
  return controller.signal;
}

/** Like `setTimeout` of `node:timers/promises`, on virtual time. */
export function virtualWait(scheduler: Scheduler, milliseconds: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  if (signal?.aborted) return Promise.reject(signal.reason);
  const task = scheduler.after(milliseconds, resolve, { owner: scheduler.current() });
  signal?.addEventListener('abort', () => {
    scheduler.cancel(task);
    reject(signal.reason);
  });
  return promise;
}
