/** What API Gateway knows of a request when it has answered. */
export type AccessContext = {
  readonly requestId: string;
  readonly requestTime: string;
  readonly 'identity.sourceIp': string | undefined;
  readonly routeKey: string | undefined;
  readonly status: number;
  /** In milliseconds. */
  readonly responseLatency: number;
};

/** Fills the format of an access log. What the laptop does not know has a hyphen, as on AWS what a request does not have. */
export function accessLogLine(format: string, context: AccessContext): string {
  const values = new Map<string, unknown>(Object.entries(context));
  return format.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => String(values.get(name) ?? '-'));
}
