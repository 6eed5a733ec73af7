/** Calls a hook of the partner. A hook that throws or rejects must neither fail what it reports nor end the process. */
export function runHook<Value>(hook: ((value: Value) => unknown) | undefined, value: Value): void {
  try {
    Promise.resolve(hook?.(value)).catch(() => undefined);
  } catch {
    // The effect has happened, or the call may have been taken.
  }
}
