import type { BusEvents } from '#package/events/bus-events.ts';
import type {
  IdentificationVerification,
  NewIdentificationVerification,
} from '#shared/platform/resources/identification-verifications.ts';
import type { NaturalPerson } from '#shared/platform/resources/natural-person.ts';
import type { NewNaturalPersonIdentification } from '#shared/platform/resources/natural-person-identification.ts';
import type { NaturalPersonUpdateData, NewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';
import type { Transfer } from '#shared/platform/resources/transfers.ts';
import type { UndeliveredWebhook } from '#shared/platform/resources/undelivered-webhooks.ts';
import type { Webhook, WebhookData } from '#shared/platform/resources/webhooks.ts';

/** The types of the package that are inferred from schemas, by their names. */
type Inferred = {
  BusEvents: BusEvents;
  IdentificationVerification: IdentificationVerification;
  NaturalPerson: NaturalPerson;
  NaturalPersonUpdateData: NaturalPersonUpdateData;
  NewIdentificationVerification: NewIdentificationVerification;
  NewNaturalPerson: NewNaturalPerson;
  NewNaturalPersonIdentification: NewNaturalPersonIdentification;
  Transfer: Transfer;
  UndeliveredWebhook: UndeliveredWebhook;
  Webhook: Webhook;
  WebhookData: WebhookData;
};

/**
 * The compiler writes what it infers in full into the declaration of a constant. `write-declarations.ts` takes the types from there, so
 * that editors show plain objects with their documentation: of a type that is computed from a schema, they show none.
 */
declare const inferred: { [Name in keyof Inferred]: { [Field in keyof Inferred[Name]]: Inferred[Name][Field] } };

export const fullTypes = { ...inferred };
