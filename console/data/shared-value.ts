import { useEffect, useState } from 'preact/hooks';

/** A value that several parts of the page show. */
export type Store<Value> = {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export function createStore<Value>(first: Value): Store<Value> {
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

export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState<{ readonly current: Value }>({ current: store.get() });
  useEffect(() => {
    const update = () => setValue({ current: store.get() });
    update();
    return store.subscribe(update);
  }, [store]);
  return value.current;
}
