import type { Invoked } from '#sandbox/aws/lambda/function-host.ts';

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

/**
 * The line that Lambda logs after each invocation. The duration is that on this machine.
 *
 * https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report
 */
export function reportLine({ isError, isTimeout, milliseconds }: Invoked, time: Date): string {
  const failure = isTimeout ? 'timeout' : 'error';
  const status = isError ? failure : 'success';
  const durationMs = Math.round(milliseconds * 100) / 100;
  return JSON.stringify({
    time: time.toISOString(),
    type: 'platform.report',
    record: { status, metrics: { durationMs } },
  });
}
