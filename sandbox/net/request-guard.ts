import type { IncomingHttpHeaders } from 'node:http';

/** The names of this machine. A page has none of them: it names its own host, also where that was resolved to 127.0.0.1. */
const ownNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The name by which a container of Docker Desktop calls this machine. No page of the internet can have a name below .internal. */
const nameForContainers = 'host.docker.internal';

/**
 * Why a server of this machine refuses a request, or undefined. Another host name is that of a page on the internet (DNS rebinding).
 * Another origin is a page of another server, also on another port of this machine. A program sends no origin.
 *
 * @param answersContainers whether the name by which containers call this machine is a name of this machine too
 */
export function hostRefusalOf(
  { host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>,
  answersContainers = false,
): string | undefined {
  const name = host?.replace(/:\d+$/, '');
  if (name === nameForContainers && !answersContainers)
    return `This server answers at ${nameForContainers} only if it was started with --containers.`;
  if (name !== undefined && name !== nameForContainers && !ownNames.has(name))
    return `This server answers at ${[...ownNames].join(', ')} only.`;
  if (origin !== undefined && origin !== `http://${host}`) return 'Another page sent this request.';
  return undefined;
}
