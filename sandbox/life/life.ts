import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { Platform } from '#sandbox/platform/app/platform.ts';
import { deliveryIdOf } from '#sandbox/platform/control/log-control.ts';
import type { LoggedDelivery } from '#sandbox/platform/webhooks/delivery-log.ts';
import { visibleLine } from '#sandbox/terminal/visible-text.ts';

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

/** What happens, on one line: its kind, what it is, and the ids to look up. */
type LifeLine = { readonly kind: 'webhook' | 'decision' | 'bus'; readonly text: string };

const fields = z.record(z.string(), z.unknown());

/** The ids in a body are not personal data; every other field could be. */
const idField = /^(?:transferId|orderId|identificationVerificationId|naturalPersonId|onboardingId)$/;

/** The line of a delivery; undefined while the delivery is under way. */
export function webhookLine({ number, eventType, body, outcome, attempts }: LoggedDelivery): LifeLine | undefined {
  if (outcome === 'sending') return undefined;
  const { status, ...others } = read(Buffer.from(body).toString());
  const last = attempts.at(-1);
  const result =
    outcome === 'delivered' ? `answered ${last?.status}` : `${outcome}: ${last?.errorMessage ?? 'no webhook'}`;
  return line('webhook', deliveryIdOf(number), eventType, status, ...idsOf(others), result);
}

/** The messages of functions that are decisions, with the fields to show. Warnings and errors are shown as well. */
const decisions: ReadonlyMap<string, readonly string[]> = new Map([
  ['event applied', ['outcome', 'eventId']],
  ['event quarantined', ['reason', 'eventId']],
  ['event contradicts a final status', ['eventId']],
  ['undelivered event handed over', ['eventId']],
  ['onboarding accepted', ['onboardingId']],
  ['onboarding advanced', ['step', 'reason', 'onboardingId']],
  ['webhook registration changed', ['eventType', 'reason']],
  ['token refreshed', ['reason']],
  ['drift found', ['size']],
  ['events replayed', ['size']],
  ['person erased', ['onboardingId']],
]);

/** The line of a decision that a function logged; undefined for any other line of a log. */
export function decisionLine(functionName: string, logged: string): LifeLine | undefined {
  const { level, message, reason, ...others } = read(logged);
  if (typeof message !== 'string') return undefined;
  const shown = decisions.get(message);
  if (shown === undefined && level !== 'WARN' && level !== 'ERROR') return undefined;
  const all: z.infer<typeof fields> = { reason, ...others };
  return line(
    'decision',
    functionName,
    message,
    ...(shown ?? ['reason', 'eventId', 'onboardingId']).map((name) => all[name]),
  );
}

const putEvents = z.object({ Entries: z.array(z.object({ DetailType: z.string(), Detail: z.string() })) });

/** The lines of the events that a function puts on the bus. */
export function busLines(input: unknown): readonly LifeLine[] {
  return (putEvents.safeParse(input).data?.Entries ?? []).map(({ DetailType, Detail }) => {
    const { kind, id, status, step, eventId, onboardingId } = read(Detail);
    return line('bus', DetailType, status ?? step, kind, id ?? onboardingId ?? eventId);
  });
}

function read(text: string): z.infer<typeof fields> {
  try {
    return fields.catch({}).parse(JSON.parse(text));
  } catch {
    return {};
  }
}

function idsOf(body: z.infer<typeof fields>): readonly unknown[] {
  return Object.entries(body).flatMap(([name, value]) => (idField.test(name) ? [value] : []));
}

function line(kind: LifeLine['kind'], ...parts: readonly unknown[]): LifeLine {
  const words = parts.filter((part) => typeof part === 'string' || typeof part === 'number');
  return { kind, text: visibleLine(words.join('  ')) };
}
