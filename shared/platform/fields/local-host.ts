const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a URL leads to this very machine, as that of the sandbox's platform does. */
export function isLocal(url: string): boolean {
  return URL.canParse(url) && localHosts.has(new URL(url).hostname);
}
