import type { DrawbridgeSettings } from '#infra/settings.ts';
import type {
  Entities,
  ListedEntities,
  ListedEvent,
  ListedOnboarding,
  Onboarding,
  Quarantine,
  StoredEvent,
  StoredPerson,
  TimelineEvent,
} from '#package/client/answers.ts';
import type { WebhookBodies } from '#package/client/webhook-bodies.ts';
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

/** The types of the package that are inferred from schemas, by what they are of and by their names. */
type Inferred = {
  bus: { BusEvents: BusEvents };
  drawbridge: {
    Entities: Entities;
    ListedEntities: ListedEntities;
    ListedEvent: ListedEvent;
    ListedOnboarding: ListedOnboarding;
    Onboarding: Onboarding;
    Quarantine: Quarantine;
    StoredEvent: StoredEvent;
    StoredPerson: StoredPerson;
    TimelineEvent: TimelineEvent;
  };
  platform: {
    IdentificationVerification: IdentificationVerification;
    NaturalPerson: NaturalPerson;
    NaturalPersonUpdateData: NaturalPersonUpdateData;
    NewIdentificationVerification: NewIdentificationVerification;
    NewNaturalPerson: NewNaturalPerson;
    NewNaturalPersonIdentification: NewNaturalPersonIdentification;
    Transfer: Transfer;
    UndeliveredWebhook: UndeliveredWebhook;
    Webhook: Webhook;
    WebhookBodies: WebhookBodies;
    WebhookData: WebhookData;
  };
  settings: { DrawbridgeSettings: DrawbridgeSettings };
};

/**
 * The compiler writes what it infers in full into the declaration of a constant. `write-declarations.ts` takes the types from there, so
 * that editors show plain objects with their documentation: of a type that is computed from a schema, they show none.
 */
declare const inferred: {
  [Group in keyof Inferred]: {
    [Name in keyof Inferred[Group]]: { [Field in keyof Inferred[Group][Name]]: Inferred[Group][Name][Field] };
  };
};

export const fullTypes = {
  bus: { ...inferred.bus },
  drawbridge: { ...inferred.drawbridge },
  platform: { ...inferred.platform },
  settings: { ...inferred.settings },
};
