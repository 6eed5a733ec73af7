import { createHash } from 'node:crypto';

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
