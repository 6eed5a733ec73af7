import type { Invoked } from '#sandbox/aws/lambda/function-host.ts';

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
