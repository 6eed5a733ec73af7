import { orderStatusWords } from '#shared/entities/statuses/entity-rules.ts';
import type { UnknownWord } from '#shared/platform/fields/received.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import { identificationVerificationStatusWords } from '#shared/platform/resources/identification-verifications.ts';
import { naturalPersonStatusWords } from '#shared/platform/resources/natural-person.ts';
import { transferStatusWords } from '#shared/platform/resources/transfers.ts';

/** The statuses that this release knows, by the kind of the entity (section 3). The platform may come to use further ones. */
export const statusWords = {
  'natural-person': naturalPersonStatusWords,
  'identification-verification': identificationVerificationStatusWords,
  order: orderStatusWords,
  transfer: transferStatusWords,
} as const satisfies Record<EntityKind, readonly string[]>;

/** A status of an entity of this kind: a known word, or one that the platform has come to use since. */
export type StatusOf<Kind extends EntityKind> = (typeof statusWords)[Kind][number] | UnknownWord;

/** Section 3.5. */
export const transactionStatusWords = ['N/A', 'COMPLETED', 'MODIFIED'] as const;
