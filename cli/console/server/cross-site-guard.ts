/** What a browser says about where a request comes from. */
export type RequestOrigin = {
  readonly method: string;
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

/** Why a request is refused, or undefined: another page can load the address of a read without an origin. The server checks the host. */
export function crossSiteRefusalOf({ method, origin, fetchSite }: RequestOrigin): string | undefined {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none')
    return 'Another page sent this request.';
  if (method !== 'GET' && origin === undefined) return 'The request does not say which page sent it.';
  return undefined;
}
