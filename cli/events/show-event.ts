import type { ApiClient } from '#cli/deployment/api-client.ts';
import { readEvent, revealEvent } from '#cli/deployment/api-reads.ts';
import { entityGroups } from '#cli/entities/entity-groups.ts';
import { createIdFinder } from '#cli/ids/find-id.ts';
import { formatFields } from '#cli/output/format-columns.ts';
import type { Output } from '#cli/output/output.ts';
import { commandAbout } from '#sandbox/terminal/quote.ts';
import type { EventAnswer } from '#shared/api/query-answers.ts';
import { canReplay, quarantineRemedy } from '#shared/events/quarantine-remedies.ts';

export type ShowEventProps = {
  readonly api: ApiClient;
  readonly output: Output;
  /** Short or whole. */
  readonly eventId: string;
  /** Whether a short id is one of `quarantine ls`. */
  readonly isOfQuarantine?: boolean;
  /** Whether to show the body. */
  readonly reveal: boolean;
};

/** Prints one event. @throws {CommandError} @returns whether it is in quarantine */
export async function showEvent({
  api,
  output,
  eventId: given,
  isOfQuarantine,
  reveal,
}: ShowEventProps): Promise<boolean> {
  const eventId = await createIdFinder({ api, note: output.note }).findEvent(given, isOfQuarantine);
  const event = await (reveal ? revealEvent : readEvent)(api, eventId);
  output.answer(event, () => formatEvent(event));
  if (event.entity !== undefined) {
    const { kind, id } = event.entity;
    output.note(`To see the result: ${commandAbout(`drawbridge ${entityGroups[kind]} show`, id, '--timeline')}`);
  }
  const reason = event.quarantineReason;
  if (reason === undefined) return false;
  const { means, fix } = quarantineRemedy(reason);
  output.note(`The event has no effect. ${means} ${fix}`);
  if (canReplay(reason)) output.note(`Once its cause is fixed: drawbridge events replay ${eventId}`);
  return true;
}

function formatEvent({ body, bodyBase64, ...event }: EventAnswer): string {
  const fields = formatFields([
    ['event id', event.eventId],
    ['type', event.eventType],
    ['received', event.receivedOn],
    ['deliveries', event.deliveries],
    ['about', event.entity && `${event.entity.kind} ${event.entity.id}`],
    ['quarantine reason', event.quarantineReason],
    ['erased', event.erasedOn],
    ['body bytes', event.bodyBytes],
  ]);
  const shown = body ?? (bodyBase64 === undefined ? undefined : `base64: ${bodyBase64}`);
  return shown === undefined ? fields : `${fields}\n\n${shown}`;
}
