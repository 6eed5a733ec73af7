import * as z from 'zod';
import { narrowings } from './schema-narrowings.ts';

const asyncApiDocument = z.looseObject({
  channels: z.record(z.string(), z.looseObject({ address: z.string() })),
  components: z.looseObject({ messages: z.record(z.string(), z.looseObject({ payload: z.unknown() })) }),
});

/**
 * Says what a consumer of an older AsyncAPI document cannot rely on by a newer one. New events, fields and descriptions are not breaking
 * changes.
 *
 * @throws when a schema has a keyword that the comparison does not know
 */
export function breakingEventChanges(older: unknown, newer: unknown): readonly string[] {
  const [before, after] = [asyncApiDocument.parse(older), asyncApiDocument.parse(newer)];
  const addresses = Object.entries(before.channels).flatMap(([name, { address }]) => {
    const found = after.channels[name]?.address;
    return found === address ? [] : [`channel ${name}: the address was ${address}, and is ${found ?? 'gone'}`];
  });
  const events = Object.entries(before.components.messages).flatMap(([name, { payload }]) => {
    const found = after.components.messages[name];
    if (found === undefined) return [`${name}: the event is gone`];
    const from = { schema: found.payload, document: newer };
    return narrowings(from, { schema: payload, document: older }, 'answer', name);
  });
  return [...addresses, ...events];
}
