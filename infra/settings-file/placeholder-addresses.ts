import type { Issue } from './describe-issues.ts';

/** Names that lead nowhere on the Internet, or to the reader's own machine (RFC 2606, RFC 6761). */
const reservedDomains = ['example', 'test', 'invalid', 'localhost', 'example.com', 'example.net', 'example.org'];
const ownAddresses: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', '0.0.0.0']);

/** The addresses among the settings that no deployment can use. */
export function findPlaceholders(value: unknown, path: readonly PropertyKey[] = []): readonly Issue[] {
  if (typeof value === 'string')
    return isPlaceholder(value)
      ? [{ path, message: `${value} is a placeholder, or an address of this machine. Set the real address.` }]
      : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => findPlaceholders(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => findPlaceholders(item, [...path, key]));
}

function isPlaceholder(text: string): boolean {
  const host = hostOf(text);
  return ownAddresses.has(host) || reservedDomains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** Of a URL, an e-mail address or a domain name with a dot. Empty for any other text. */
function hostOf(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.hostname.replace(/\.$/, '');
  return /^(?:[^\s@/]+@)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i.exec(text)?.[1]?.toLowerCase() ?? '';
}
