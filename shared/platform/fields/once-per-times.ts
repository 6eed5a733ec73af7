import type { PlatformTimes } from '#shared/platform/profile/times.ts';

/** Makes a schema once for each profile: to make one takes longer than to read an answer. */
export function oncePerTimes<Schema>(make: (times: PlatformTimes) => Schema): (times: PlatformTimes) => Schema {
  const made = new WeakMap<PlatformTimes, Schema>();
  return (times) => {
    const schema = made.get(times) ?? make(times);
    made.set(times, schema);
    return schema;
  };
}
