import { useEffect, useState } from 'preact/hooks';

/** A value that several parts of the page show. */
export type SharedValue<Value> = {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export function createSharedValue<Value>(first: Value): SharedValue<Value> {
  let current = first;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useSharedValue<Value>(shared: SharedValue<Value>): Value {
  const [value, setValue] = useState<{ readonly current: Value }>({ current: shared.get() });
  useEffect(() => {
    const update = () => setValue({ current: shared.get() });
    update();
    return shared.subscribe(update);
  }, [shared]);
  return value.current;
}
