type Listener = () => void;
type ListenerOptions = { readonly once?: boolean };

/** The part of AbortSignal that the functions use. */
class PlainSignal {
  aborted = false;
  reason: unknown;
  readonly #listeners = new Map<Listener, ListenerOptions>();
  readonly #followers: PlainSignal[] = [];

  addEventListener(_type: 'abort', listener: Listener, options: ListenerOptions = {}): void {
    if (!this.#listeners.has(listener)) this.#listeners.set(listener, options);
  }

  removeEventListener(_type: 'abort', listener: Listener): void {
    this.#listeners.delete(listener);
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  /** Aborts the other signal together with this one. */
  propagateTo(other: PlainSignal): void {
    if (this.aborted) other.abort(this.reason);
    else this.#followers.push(other);
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    for (const signal of this.#aborting(reason)) signal.#notify();
  }

  /** Marks this signal and its followers as aborted before any listener runs. */
  #aborting(reason: unknown): readonly PlainSignal[] {
    this.aborted = true;
    this.reason = reason;
    const left = this.#followers.filter(({ aborted }) => !aborted);
    return [this, ...left.flatMap((one) => one.#aborting(reason))];
  }

  #notify(): void {
    for (const [listener, { once = false }] of [...this.#listeners]) {
      if (once) this.#listeners.delete(listener);
      listener();
    }
  }
}

class PlainController {
  readonly signal = new PlainSignal();

  abort(reason: unknown): void {
    this.signal.abort(reason);
  }
}

function plainAny(signals: Iterable<PlainSignal>): PlainSignal {
  const any = new PlainSignal();
  for (const signal of signals) signal.propagateTo(any);
  return any;
}

/**
 * Replaces `AbortController` and `AbortSignal.any` in this thread with plain objects. Node keeps combined signals until one
 * of them aborts, and no signal of a finished history ever does.
 *
 * @returns restores the real ones
 */
export function installPlainSignals(): () => void {
  const real = { AbortController, any: AbortSignal.any };
  Object.assign(globalThis, { AbortController: PlainController });
  Object.assign(AbortSignal, { any: plainAny });
  return () => {
    Object.assign(globalThis, { AbortController: real.AbortController });
    Object.assign(AbortSignal, { any: real.any });
  };
}
