import * as z from 'zod';
import { platformUrl } from '#shared/platform/fields/fields.ts';

/** A `platformUrl` among the settings. The refusal names what is wrong with the text, since a person has written it. */
export const platformAddress = z.string().superRefine((text, context) => {
  if (!platformUrl.safeParse(text).success) context.addIssue({ code: 'custom', message: faultOf(text) });
});

/** Why `platformUrl` refuses a text. A password may be in it, so the message quotes none that has a user. */
function faultOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.host === '') return 'must be a whole URL, such as https://api.platform.com/v1';
  if (url.username !== '' || url.password !== '') return 'must have no user and no password';
  if (/[?#]/.test(text)) return 'must have no query and no fragment';
  if (url.protocol !== 'https:') return 'must begin with https:// (http:// is only for localhost)';
  if (text.endsWith('/')) return 'must have no slash at its end';
  const plain = `${url.origin}${url.pathname}`.replace(/\/$/, '');
  const reason = plain === lowerHost(text) ? 'has capitals before its path' : 'is not in the plain form of a URL';
  return `${reason}: write ${plain}`;
}

/** The text with its scheme and host in lower case. */
const lowerHost = (text: string) => text.replace(/^[^/]*\/\/[^/]*/, (origin) => origin.toLowerCase());
