import type { IncomingHttpHeaders } from 'node:http';

/** The names of this machine. A page has none of them: it names its own host, also where that was resolved to 127.0.0.1. */
const ownNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Why a server of this machine refuses a request, or undefined. Another host name is that of a page on the internet (DNS rebinding).
 * Another origin is a page of another server, also on another port of this machine. A program sends no origin.
 */
export function refusalOf({ host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>): string | undefined {
  if (host !== undefined && !ownNames.has(host.replace(/:\d+$/, '')))
    return `This server answers at ${[...ownNames].join(', ')} only.`;
  if (origin !== undefined && origin !== `http://${host}`) return 'Another page sent this request.';
  return undefined;
}
