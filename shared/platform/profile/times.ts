import * as z from 'zod/mini';

const zone = z.string().check(z.refine(isZone, 'must be a time zone such as UTC or Europe/Vienna'));

/** What the specification leaves open of times and days. */
export const platformTimes = z.strictObject({
  /** The zone of times that name none. */
  zone: z.optional(zone),
  /** What times that are numbers count since 1970. */
  unit: z.optional(z.enum(['seconds', 'milliseconds'])),
  /** The zone of the platform's days. */
  dayZone: z.optional(zone),
});

export type PlatformTimes = Readonly<z.output<typeof platformTimes>>;

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
