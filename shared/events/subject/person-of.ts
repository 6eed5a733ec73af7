import * as z from 'zod/mini';
import { receivedEntityId } from '#shared/entities/place-event.ts';
import { parseJsonExactly } from '#shared/parse-json.ts';

const ofPerson = z.object({ naturalPersonId: receivedEntityId });
const ofSomebody = z.union([
  ofPerson,
  z.object({ identificationVerification: ofPerson }),
  z.object({ transfer: ofPerson }),
]);

/**
 * The person of the verification or transfer in a body, from a webhook (docs/reference/platform.md) or read back; undefined where it
 * does not say so. Of the body nothing else is taken: it holds personal data.
 *
 * @param body of an event that speaks of an identification verification, or of a transfer
 */
export function personOf(body: Uint8Array): string | undefined {
  const { success, data } = ofSomebody.safeParse(parseJsonExactly(Buffer.from(body).toString()));
  if (!success) return undefined;
  if ('naturalPersonId' in data) return data.naturalPersonId;
  return ('transfer' in data ? data.transfer : data.identificationVerification).naturalPersonId;
}
