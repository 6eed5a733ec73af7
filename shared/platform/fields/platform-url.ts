import * as z from 'zod/mini';
import { isLocal } from './local-host.ts';

/**
 * {base_url} or {auth_url} (section 5.5), without a slash at its end: paths are put behind it as they are. Plain http
 * only to this machine, since credentials and tokens go there.
 */
export const platformUrl = z
  .string()
  .check(z.refine(isPlatformUrl, 'must be an https URL with no slash, query or password; http to localhost alone'));

function isPlatformUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(text));
  // What the parser fixes, or keeps elsewhere, makes it another text.
  return isSafe && `${url.origin}${url.pathname}`.replace(/\/$/, '') === text;
}
