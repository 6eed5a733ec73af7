import * as z from 'zod/mini';

const count = z.int().check(z.nonnegative());

/** Finds a cursor that comes back, by one remembered cursor: Brent's algorithm. Its size does not grow with the list. */
export const cursorTrail = z.object({ cursor: z.optional(z.string()), steps: count, most: count });

export type CursorTrail = z.infer<typeof cursorTrail>;

/** At the first page. */
export const trailhead: CursorTrail = { steps: 0, most: 1 };

/**
 * The trail at the page of the next cursor; undefined at the end of the list: no cursor, or one that has been there before.
 *
 * @param here the cursor of the page that this one came with; none for the first page
 */
export function followTrail(
  behind: CursorTrail,
  here: string | undefined,
  cursor: string | undefined,
): CursorTrail | undefined {
  if (cursor === undefined || cursor === here || cursor === behind.cursor) return undefined;
  const steps = behind.steps + 1;
  const hasComeFar = steps === behind.most;
  return hasComeFar ? { cursor, steps: 0, most: 2 * steps } : { ...behind, steps };
}
