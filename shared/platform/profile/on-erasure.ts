import { type EntityKind, type eventTypes, lookUp, type OnErasure, placeOf } from './event-place.ts';

const onErasureOf: Readonly<Record<EntityKind, OnErasure>> = {
  'natural-person': 'erased with the person',
  'identification-verification': 'erased with the person',
  order: 'kept',
  transfer: 'kept',
};

/**
 * What the specification does not say: which event types of section 2.1 are records of business, or of a customer other than a
 * natural person. Those are kept, and refer to the person by the platform's id alone. All others describe a natural person:
 * what it is, whom it acts for, its documents, and its accounts with the platform.
 */
const usualErasures: Readonly<Record<(typeof eventTypes)[number], OnErasure>> = {
  NATURAL_PERSON_NOTIFICATION: 'erased with the person',
  IDENTIFICATION_VERIFICATION_NOTIFICATION: 'erased with the person',
  CUSTOMER_NOTIFICATION: 'erased with the person',
  DOCUMENT_NOTIFICATION: 'erased with the person',
  ONBOARDING_NOTIFICATION: 'erased with the person',
  LABELS_UPDATE_NOTIFICATION: 'erased with the person',
  PROXY_NOTIFICATION: 'erased with the person',
  BENEFICIAL_OWNER_NOTIFICATION: 'erased with the person',
  USER_NOTIFICATION: 'erased with the person',
  OFFBOARDING_NOTIFICATION: 'erased with the person',
  LEGAL_REPRESENTATIVE_NOTIFICATION: 'erased with the person',
  JOINT_PERSON_NOTIFICATION: 'erased with the person',
  TRADITIONAL_ASSET_ORDER_NOTIFICATION: 'kept',
  DIGITAL_ASSET_ORDER_NOTIFICATION: 'kept',
  TOKENIZED_ASSET_ORDER_NOTIFICATION: 'kept',
  TAX_EXEMPTION_ORDER_NOTIFICATION: 'kept',
  SAVINGS_PLANS_NOTIFICATION: 'kept',
  SAVINGS_PLANS_ORDER_NOTIFICATION: 'kept',
  TRANSFER_NOTIFICATION: 'kept',
  CORPORATE_ACTION_NOTIFICATION: 'kept',
  STRATEGY_NOTIFICATION: 'kept',
  RE_TOKEN_PRICES: 'kept',
  CUSTOMER_PRODUCT_NOTIFICATION: 'kept',
  VENDOR_EX_ANTE_DOCUMENT_READY_NOTIFICATION: 'kept',
  LEGAL_ENTITY_NOTIFICATION: 'kept',
  LEGAL_ENTITY_SEARCH_NOTIFICATION: 'kept',
  PARTNER_NOTIFICATION: 'kept',
  PARTNER_DOCUMENT_NOTIFICATION: 'kept',
};

/**
 * What the erasure of a person does with the events of a type. Events of a type that is not known are erased where they name
 * the person: nothing says that they are records of business, and they may hold anything.
 *
 * @param places of the platform profile
 */
export function onErasure(eventType: string, places: Parameters<typeof placeOf>[1]): OnErasure {
  const place = placeOf(eventType, places);
  if (typeof place === 'object') return onErasureOf[place.kind];
  return lookUp(places, eventType)?.onErasure ?? lookUp(usualErasures, eventType) ?? 'erased with the person';
}
