import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { Platform } from '#sandbox/platform/app/platform.ts';
import { busLines, decisionLine, type LifeLine, webhookLine } from './life-lines.ts';

export type Life = ReturnType<typeof createLife>;

/** Prints what happens, line by line, from when it is shown. */
export function createLife(print: (line: string) => void) {
  let now: (() => Date) | undefined;

  function printLine(line: LifeLine | undefined): void {
    if (now === undefined || line === undefined) return;
    print(`${now().toISOString().slice(11, 23)}  ${line.kind.padEnd(8)}  ${line.text}`);
  }

  return {
    onFunctionLog: (functionName: string, line: string): void => printLine(decisionLine(functionName, line)),
    onAwsCall: ({ when, operation, input }: AwsCallMoment): void => {
      if (now === undefined || when !== 'after' || operation !== 'PutEvents') return;
      for (const line of busLines(input())) printLine(line);
    },
    show: ({ deliveryLog, clock }: Pick<Platform, 'deliveryLog' | 'clock'>): void => {
      now = clock.now;
      deliveryLog.observe((delivery) => printLine(webhookLine(delivery)));
    },
  };
}
