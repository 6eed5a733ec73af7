import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { PlatformPagingError } from './errors.ts';

/** In characters of base64url: long enough that two different pages do not get the same digest. */
const digestLength = 22;

/**
 * Names what a page has, in any order: the same for two pages with the same members. Where a member has ids, only they count: other
 * fields may differ from one answer to the next.
 */
export function contentOf(members: readonly unknown[]): string {
  const hash = createHash('sha256');
  for (const identity of members.map(identityOf).toSorted()) hash.update(identity).update('\n');
  return hash.digest('base64url').slice(0, digestLength);
}

function identityOf(member: unknown): string {
  const fields = typeof member === 'object' && member !== null ? Object.entries(member) : [];
  const ids = fields.filter(([name, value]) => /^id$|Id$|^eventType$/.test(name) && typeof value !== 'object');
  try {
    return JSON.stringify(ids.length > 0 ? ids : member) ?? '';
  } catch (error) {
    // Nested deeper than the stack of a process holds.
    if (error instanceof RangeError) return '';
    throw error;
  }
}

const count = z.int().check(z.nonnegative());

/**
 * Finds a cursor that comes back, and a page that does, by one remembered place: Brent's algorithm. Its size does not grow with the
 * list.
 */
export const cursorTrail = z.object({
  cursor: z.optional(z.string()),
  steps: count,
  most: count,
  /** The digest of the members of the remembered page. */
  content: z.optional(z.string()),
  /** Pages that had the members of the remembered one. */
  repeated: z.optional(count),
  /** Pages without a member, in a row. */
  empty: z.optional(count),
});

export type CursorTrail = z.infer<typeof cursorTrail>;

/** At the first page. */
export const trailhead: CursorTrail = { steps: 0, most: 1 };

/**
 * The trail at the page of the next cursor; undefined at the end of the list: no cursor, or one that has been there before.
 *
 * @param here the cursor of the page that this one came with; none for the first page
 * @param members of the page that this one came with
 */
export function followTrail(
  behind: CursorTrail,
  here: string | undefined,
  cursor: string | undefined,
  members: readonly unknown[],
): CursorTrail | undefined {
  if (cursor === undefined || cursor === here || cursor === behind.cursor) return undefined;
  const { empty = 0, repeated = 0 } = behind;
  if (members.length === 0) return { ...advance(behind, cursor, behind.content), empty: empty + 1 };
  const content = contentOf(members);
  const isRepeated = content === behind.content;
  return {
    ...advance(behind, cursor, content),
    ...(isRepeated && { repeated: repeated + 1 }),
    ...(empty > 0 && { empty: 0 }),
  };
}

function advance(behind: CursorTrail, cursor: string, content: string | undefined): CursorTrail {
  const steps = behind.steps + 1;
  const hasComeFar = steps === behind.most;
  return hasComeFar ? { ...behind, cursor, steps: 0, most: 2 * steps, content } : { ...behind, steps };
}

/** The most pages that may come again. A list that changes while it is read may show a few pages twice. */
const maxRepeated = 10;

/** Of pages without a member: a list may be filtered after it is cut into pages. */
const maxEmpty = 1_000;

/**
 * However long a list is, it passes while its pages have members that were not there before.
 *
 * @throws {PlatformPagingError} if the cursors of a list lead to nothing new
 */
export function checkTrail(operation: string, trail: CursorTrail): void {
  const fault = faultOf(trail);
  if (fault !== undefined) throw new PlatformPagingError(operation, fault);
}

/** The fault of a list whose cursors lead to nothing new; undefined for any other list. */
export function faultOf({ repeated = 0, empty = 0 }: CursorTrail): string | undefined {
  if (repeated >= maxRepeated) return `gave the same members ${repeated} times, each time with a new cursor`;
  return empty >= maxEmpty ? `gave ${empty} pages in a row without a member` : undefined;
}
