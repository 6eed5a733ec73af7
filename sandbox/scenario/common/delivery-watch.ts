import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { LoggedDelivery } from '#sandbox/platform/webhooks/delivery-log.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { Sent } from './event-audit.ts';

export type ObservedDeliveries = { readonly observe: (observer: (delivery: LoggedDelivery) => void) => () => void };

/**
 * Records each webhook that the platform sends, whatever its cause. A webhook without a 2xx answer counts as answered, because the
 * platform keeps it until the drain has stored it.
 */
export function watchDeliveries(log: ObservedDeliveries) {
  const sent: Sent[] = [];
  /** The number of each event, by the digest of its content: a long scenario keeps each body once. */
  const events = new Map<string, number>();
  log.observe(({ eventType, body, outcome }) => {
    if (outcome !== 'delivered' && outcome !== 'undelivered') return;
    const text = Buffer.from(body).toString();
    const content = createHash('sha256')
      .update(`${eventType} ${canonicalize(parseJson(text)) ?? text}`)
      .digest('base64');
    const event = events.get(content) ?? events.size;
    events.set(content, event);
    sent.push({ notification: { event, eventType, body: text }, answered: true });
  });
  return { sent: (): readonly Sent[] => sent };
}
