/** Sets how far `Date` is ahead of the real time, in milliseconds. */
export type SetAhead = (milliseconds: number) => void;

/**
 * Gives `Date` of this process another time than the real one; timers stay real. A function then lives in the time
 * of the host, as all that it calls does.
 *
 * @param ahead of the real time, in milliseconds
 */
export function replaceDate(ahead: number): SetAhead {
  const RealDate = Date;
  let milliseconds = ahead;
  const now = () => RealDate.now() + milliseconds;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, parts, newTarget) => Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  RealDate.prototype.constructor = globalThis.Date;
  return (next) => {
    milliseconds = next;
  };
}
