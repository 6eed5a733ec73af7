/** What a browser says about where a request comes from. */
export type RequestOrigin = {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
};

/** What the console sends with every answer. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
};

/**
 * Why a request is refused, or undefined. A name other than this machine's can be a page that had its name resolved to
 * 127.0.0.1 (DNS rebinding); another origin can be a page that sends requests with the operator's cookie.
 */
export function refusalOf({ method, host, origin, fetchSite }: RequestOrigin, port: number): string | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !hosts.includes(host)) return `The console answers at ${hosts.join(' and ')} only.`;
  if (origin !== undefined && origin !== `http://${host}`) return 'Another page sent this request.';
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none')
    return 'Another page sent this request.';
  if (method !== 'GET' && origin === undefined) return 'The request does not say which page sent it.';
  return undefined;
}
