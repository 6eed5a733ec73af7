import * as z from 'zod/mini';
import { entityId } from './place-event.ts';

const ofPerson = z.object({ naturalPersonId: entityId });
const ofSomebody = z.union([
  ofPerson,
  z.object({ identificationVerification: ofPerson }),
  z.object({ transfer: ofPerson }),
]);

/**
 * Whose verification or transfer a body speaks of, be it a webhook's (facts, webhook deliveries) or what was read back; undefined where it
 * does not say so. Of the body nothing else is taken: it holds personal data.
 *
 * @param body of an event that speaks of an identification verification, or of a transfer
 */
export function personIn(body: Uint8Array): string | undefined {
  const { success, data } = ofSomebody.safeParse(parse(body));
  if (!success) return undefined;
  if ('naturalPersonId' in data) return data.naturalPersonId;
  return ('transfer' in data ? data.transfer : data.identificationVerification).naturalPersonId;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
