import type { BusEvent } from '#cli/bus-session/open-bus-session.ts';
import { isNamedBy } from '#cli/ids/short-id.ts';
import { visibleLine } from '#sandbox/terminal/visible-text.ts';

/** A webhook or an event of the bus. Ids and statuses, no personal data. */
export type TailLine = {
  readonly source: 'webhook' | 'bus';
  readonly time: string;
  /** The event type of a webhook, or the detail-type of a bus event. */
  readonly type: string;
  /** The webhook, or the webhook behind a bus event. */
  readonly eventId: string | undefined;
  /** The entity or onboarding. */
  readonly about: string | undefined;
  /** The status of the entity, the step of the onboarding, or why the event is in quarantine. */
  readonly status: string | undefined;
};

/** What a bus event is about. */
export function ofBusEvent({ detailType, time, detail }: BusEvent): TailLine {
  const text = (...names: readonly string[]) => {
    for (const name of names) {
      const value = detail[name];
      if (typeof value === 'string') return value;
    }
    return undefined;
  };
  return {
    source: 'bus',
    time,
    type: detailType,
    eventId: text('eventId'),
    about: text('id', 'onboardingId'),
    status: text('status', 'step', 'reason', 'errorType'),
  };
}

export type TailFilter = { readonly type: readonly string[]; readonly id?: string | undefined };

export function isWanted(line: TailLine, { type, id }: TailFilter): boolean {
  const isOfType = type.length === 0 || type.includes(line.type);
  if (id === undefined) return isOfType;
  const isMeant = isNamedBy(id);
  return isOfType && [line.eventId, line.about].some((one) => one !== undefined && isMeant(one));
}

/** One line for people, the ids at its end. */
export function formatLine(
  { source, time, type, eventId, about, status }: TailLine,
  body?: { readonly body?: string | undefined; readonly bodyBase64?: string | undefined },
): string {
  // EventBridge has whole seconds.
  const second = time.replace(/\.\d+(?=Z$)/, '');
  const cells = [second, source.padEnd(7), type.padEnd(44), status?.padEnd(20), about, eventId && `event ${eventId}`];
  const line = visibleLine(cells.filter((cell) => cell !== undefined && cell !== '').join('  '));
  const shown = body?.body ?? body?.bodyBase64;
  return shown === undefined ? line : `${line}\n${shown}`;
}

/**
 * Puts each webhook ahead of the bus events that it caused, as they happened. Webhooks keep their order, and so do bus events.
 *
 * @param webhooks the oldest first
 */
export function mergeLines(webhooks: readonly TailLine[], busEvents: readonly TailLine[]): readonly TailLine[] {
  const left = [...webhooks];
  const merged = busEvents.flatMap((busEvent) => {
    const cause = left.findIndex(({ eventId }) => eventId !== undefined && eventId === busEvent.eventId);
    return [...left.splice(0, cause + 1), busEvent];
  });
  return [...merged, ...left];
}
