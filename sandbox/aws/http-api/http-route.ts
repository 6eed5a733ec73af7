/** A route of an HTTP API: `POST /webhooks/{eventType}`, `ANY /{proxy+}`, or `$default`. */
export type HttpRoute = { readonly routeKey: string; readonly segments: readonly string[]; readonly method: string };

/** The route that takes what no other takes. */
const catchAll = '$default';

export type RouteMatch = { readonly route: HttpRoute; readonly pathParameters: Readonly<Record<string, string>> };

export function parseRoute(routeKey: string): HttpRoute {
  if (routeKey === catchAll) return { routeKey, method: 'ANY', segments: [] };
  const [method = '', path = ''] = routeKey.split(' ');
  return { routeKey, method, segments: split(path) };
}

/**
 * The route that API Gateway would take: literal segments before variables, variables before greedy ones, and a route
 * of the method before one for any.
 *
 * @param path as it came: API Gateway decodes it before it routes it, so that `%2F` separates segments, and `%3F` ends the path
 */
export function matchRoute(routes: readonly HttpRoute[], method: string, path: string): RouteMatch | undefined {
  const [decoded = ''] = decode(path).split('?', 1);
  const segments = split(decoded);
  return routes
    .filter((route) => route.method === method || route.method === 'ANY')
    .flatMap((route) => {
      const pathParameters = route.routeKey === catchAll ? {} : matchSegments(route.segments, segments);
      return pathParameters === undefined ? [] : [{ route, pathParameters }];
    })
    .toSorted((one, other) => weight(one.route).localeCompare(weight(other.route)))[0];
}

function split(path: string): readonly string[] {
  return path.split('/').slice(1);
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const greedy = pattern.at(-1)?.endsWith('+}') ?? false;
  if (greedy ? segments.length < pattern.length : segments.length !== pattern.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const name = /^\{(.+?)\+?\}$/.exec(part)?.[1];
    const text = part.endsWith('+}') ? segments.slice(index).join('/') : (segments[index] ?? '');
    if (name === undefined ? part !== text : text === '') return undefined;
    if (name !== undefined) parameters[name] = text;
  }
  return parameters;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Sorts what is more specific first. */
function weight({ method, segments, routeKey }: HttpRoute): string {
  if (routeKey === catchAll) return '3';
  return `${segments.map(kindOf).join('')}${method === 'ANY' ? '1' : '0'}`;
}

function kindOf(segment: string): string {
  if (segment.endsWith('+}')) return '2';
  return segment.startsWith('{') ? '1' : '0';
}
