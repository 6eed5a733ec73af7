import * as z from 'zod/mini';

/** The event types that section 2.1 of the specification lists. The platform adds to them over time. */
export const eventTypes = [
  'CUSTOMER_NOTIFICATION',
  'NATURAL_PERSON_NOTIFICATION',
  'IDENTIFICATION_VERIFICATION_NOTIFICATION',
  'DOCUMENT_NOTIFICATION',
  'PARTNER_DOCUMENT_NOTIFICATION',
  'ONBOARDING_NOTIFICATION',
  'CUSTOMER_PRODUCT_NOTIFICATION',
  'LEGAL_ENTITY_SEARCH_NOTIFICATION',
  'LABELS_UPDATE_NOTIFICATION',
  'TRANSFER_NOTIFICATION',
  'DIGITAL_ASSET_ORDER_NOTIFICATION',
  'PROXY_NOTIFICATION',
  'BENEFICIAL_OWNER_NOTIFICATION',
  'USER_NOTIFICATION',
  'RE_TOKEN_PRICES',
  'STRATEGY_NOTIFICATION',
  'OFFBOARDING_NOTIFICATION',
  'LEGAL_ENTITY_NOTIFICATION',
  'LEGAL_REPRESENTATIVE_NOTIFICATION',
  'TRADITIONAL_ASSET_ORDER_NOTIFICATION',
  'PARTNER_NOTIFICATION',
  'JOINT_PERSON_NOTIFICATION',
  'TAX_EXEMPTION_ORDER_NOTIFICATION',
  'CORPORATE_ACTION_NOTIFICATION',
  'SAVINGS_PLANS_NOTIFICATION',
  'TOKENIZED_ASSET_ORDER_NOTIFICATION',
  'SAVINGS_PLANS_ORDER_NOTIFICATION',
  'VENDOR_EX_ANTE_DOCUMENT_READY_NOTIFICATION',
] as const;

/** An event type as it is registered: a word that section 2.1 lists, or one that the platform has added since. */
export const eventTypeName = z.string().check(z.regex(/^[A-Z][A-Z0-9_]{0,99}$/));

/** The event type of section 2.1 whose first word stands for the name of a vendor. */
export const exAnteStandIn = 'VENDOR_EX_ANTE_DOCUMENT_READY_NOTIFICATION';

/** The name that it has on a platform, or `none`. */
export const exAnteEventType = z
  .string()
  .check(z.refine((text) => text === 'none' || eventTypeName.safeParse(text).success, 'must be none or an event type'));

type EventTypesAndPlaces = {
  readonly exAnteEventType?: string | undefined;
  readonly eventTypes: readonly string[];
  readonly places: Readonly<Record<string, unknown>>;
};

/** Puts the name that the event type has on this platform in place of the stand-in. Its events have the same place as those of the stand-in. */
export function nameExAnteEventType<Profile extends EventTypesAndPlaces>(profile: Profile): Profile {
  const { exAnteEventType: name, eventTypes, places } = profile;
  if (name === undefined || name === exAnteStandIn || !eventTypes.includes(exAnteStandIn)) return profile;
  const others = eventTypes.filter((eventType) => eventType !== exAnteStandIn);
  if (name === 'none') return { ...profile, eventTypes: others };
  const place = { kind: 'stored and published', onErasure: 'kept' } as const;
  return {
    ...profile,
    eventTypes: [...new Set([...others, name])],
    places: { [name]: place, ...places },
  };
}

/** What the specification describes a status of (sections 3.1 to 3.4). */
export const entityKinds = ['natural-person', 'identification-verification', 'order', 'transfer'] as const;

export type EntityKind = (typeof entityKinds)[number];

const fieldName = z.string().check(z.minLength(1), z.maxLength(100));

const fieldNames = z.array(fieldName).check(z.minLength(1));

/** Which entity the events of a type speak of, and where in the payload (section 6: not shown) it says so. */
const eventPlace = z.strictObject({
  /** An event that speaks of no entity has no effect but to be stored and published. */
  kind: z.enum([...entityKinds, 'stored and published']),
  /** The fields that may hold the resource, if it does not stand at the top level. */
  wrappers: z.optional(z.array(fieldName)),
  /** The names that each field goes by; the first that is there counts. */
  id: z.optional(fieldNames),
  status: z.optional(fieldNames),
  modifiedOn: z.optional(fieldNames),
  /**
   * The fields that say why: all that are there count. Of each, the codes in capitals are kept, and nothing else. A name in capitals
   * reads the same: name no field that may hold one.
   */
  reason: z.optional(fieldNames),
  /** What an erasure does with events that speak of no entity. Those of an entity go by its kind. */
  onErasure: z.optional(z.enum(['erased with the person', 'kept'])),
});

/** By event type, for those that differ from the defaults. */
export const eventPlaces = z.catchall(z.object({}), eventPlace);

/** What the erasure of a person does with the events of a type. */
export type OnErasure = 'erased with the person' | 'kept';

/** Where in a payload the id, status and time of an entity are. */
export type EntityFields = {
  readonly kind: EntityKind;
  readonly wrappers: readonly string[];
  readonly id: readonly string[];
  readonly status: readonly string[];
  readonly modifiedOn: readonly string[];
  /** The fields that say why the entity has its status. */
  readonly reason: readonly string[];
  /** The fields, of those and within them, that hold a code or a list of codes, besides `errorType`, `errorCode` and `code`. */
  readonly codes: readonly string[];
};

/** Transfers have a `rejectReason`, and orders a `message` and a `code` (docs/reference/platform.md). */
const reasonsOfTrades = ['validationError', 'rejectReason', 'errorCode', 'code', 'reason', 'message'];

const ofTrades = { reason: reasonsOfTrades, codes: reasonsOfTrades };

/** Persons and verifications have a `validationError`. Their texts, in capitals as well, may name the person: only fields of codes count. */
const ofPersons = { reason: ['validationError', 'errorType', 'errorCode', 'code'], codes: [] };

/** The usual names of the fields: `<resource>Id` or `id`, at the top level or in a wrapper (docs/reference/platform.md). */
const usualFields: Readonly<Record<EntityKind, Omit<EntityFields, 'kind'>>> = {
  'natural-person': {
    wrappers: ['naturalPerson'],
    id: ['naturalPersonId', 'id'],
    status: ['naturalPersonStatus', 'status'],
    modifiedOn: ['modifiedOn'],
    ...ofPersons,
  },
  'identification-verification': {
    wrappers: ['identificationVerification'],
    id: ['identificationVerificationId', 'id'],
    status: ['identificationVerificationStatus', 'status'],
    modifiedOn: ['modifiedOn'],
    ...ofPersons,
  },
  order: {
    wrappers: ['order'],
    id: ['orderId', 'id'],
    status: ['orderStatus', 'status'],
    modifiedOn: ['modifiedOn'],
    ...ofTrades,
  },
  transfer: {
    wrappers: ['transfer'],
    id: ['transferId', 'id'],
    status: ['transferStatus', 'status'],
    modifiedOn: ['modifiedOn'],
    ...ofTrades,
  },
};

/**
 * The place of each event type of section 2.1: an entity if section 3 describes one. Of the other orders (digital and
 * tokenized assets, savings plans, tax exemption) it does not say that they have the statuses of section 3.3: an
 * environment in which they have says so in its profile.
 */
const usualPlaces: Readonly<Record<(typeof eventTypes)[number], EntityKind | 'stored and published'>> = {
  NATURAL_PERSON_NOTIFICATION: 'natural-person',
  IDENTIFICATION_VERIFICATION_NOTIFICATION: 'identification-verification',
  TRADITIONAL_ASSET_ORDER_NOTIFICATION: 'order',
  TRANSFER_NOTIFICATION: 'transfer',
  CUSTOMER_NOTIFICATION: 'stored and published',
  DOCUMENT_NOTIFICATION: 'stored and published',
  PARTNER_DOCUMENT_NOTIFICATION: 'stored and published',
  ONBOARDING_NOTIFICATION: 'stored and published',
  CUSTOMER_PRODUCT_NOTIFICATION: 'stored and published',
  LEGAL_ENTITY_SEARCH_NOTIFICATION: 'stored and published',
  LABELS_UPDATE_NOTIFICATION: 'stored and published',
  DIGITAL_ASSET_ORDER_NOTIFICATION: 'stored and published',
  PROXY_NOTIFICATION: 'stored and published',
  BENEFICIAL_OWNER_NOTIFICATION: 'stored and published',
  USER_NOTIFICATION: 'stored and published',
  RE_TOKEN_PRICES: 'stored and published',
  STRATEGY_NOTIFICATION: 'stored and published',
  OFFBOARDING_NOTIFICATION: 'stored and published',
  LEGAL_ENTITY_NOTIFICATION: 'stored and published',
  LEGAL_REPRESENTATIVE_NOTIFICATION: 'stored and published',
  PARTNER_NOTIFICATION: 'stored and published',
  JOINT_PERSON_NOTIFICATION: 'stored and published',
  TAX_EXEMPTION_ORDER_NOTIFICATION: 'stored and published',
  CORPORATE_ACTION_NOTIFICATION: 'stored and published',
  SAVINGS_PLANS_NOTIFICATION: 'stored and published',
  TOKENIZED_ASSET_ORDER_NOTIFICATION: 'stored and published',
  SAVINGS_PLANS_ORDER_NOTIFICATION: 'stored and published',
  VENDOR_EX_ANTE_DOCUMENT_READY_NOTIFICATION: 'stored and published',
};

/**
 * The place of an event type: that of the profile, or the default.
 *
 * @param places of the platform profile
 */
export function placeOf(
  eventType: string,
  places: Readonly<Record<string, z.output<typeof eventPlace>>>,
): EntityFields | 'stored and published' {
  const own = lookUp(places, eventType);
  const kind = own?.kind ?? lookUp(usualPlaces, eventType) ?? 'stored and published';
  if (kind === 'stored and published') return kind;
  const usual = usualFields[kind];
  return {
    kind,
    wrappers: own?.wrappers ?? usual.wrappers,
    id: own?.id ?? usual.id,
    status: own?.status ?? usual.status,
    modifiedOn: own?.modifiedOn ?? usual.modifiedOn,
    reason: own?.reason ?? usual.reason,
    codes: own?.reason === undefined ? usual.codes : [...new Set([...usual.codes, ...own.reason])],
  };
}

/** Where in an answer the id, status and time of an entity are. */
export type AnswerFields = Pick<EntityFields, 'wrappers' | 'id' | 'status' | 'modifiedOn'>;

/**
 * Where the answer of a read has the fields of an entity: first by the names that the profile has for events of this kind, then by the
 * usual ones, since an answer and an event may differ.
 *
 * @param places of the platform profile
 */
export function answerFieldsOf(kind: EntityKind, places: Parameters<typeof placeOf>[1]): AnswerFields {
  const own = Object.values(places).filter((place) => place.kind === kind);
  const namesOf = (field: keyof AnswerFields) => [
    ...new Set([...own.flatMap((place) => place[field] ?? []), ...usualFields[kind][field]]),
  ];
  return {
    wrappers: namesOf('wrappers'),
    id: namesOf('id'),
    status: namesOf('status'),
    modifiedOn: namesOf('modifiedOn'),
  };
}

/** An object of a payload: it is never trusted to have a shape. */
type Resource = Readonly<Record<string, unknown>>;

/** The objects that may hold the fields: what is in a wrapper comes before what stands around it. */
export function resourcesIn(body: unknown, wrappers: readonly string[]): readonly Resource[] {
  if (!isResource(body)) return [];
  return [...wrappers.map((wrapper) => lookUp(body, wrapper)).filter(isResource), body];
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of the names that any of these has, and where: a name that says more comes before one that says less. */
export function findField(resources: readonly Resource[], names: readonly string[]) {
  const all = names.flatMap((name) => resources.map((resource) => ({ resource, value: lookUp(resource, name) })));
  return all.find(({ value }) => value !== undefined && value !== null);
}

/** Own properties only, not `constructor`: the event type is the last segment of a URL, so it can be any text. */
export function lookUp<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

const onErasureOf: Readonly<Record<EntityKind, OnErasure>> = {
  'natural-person': 'erased with the person',
  'identification-verification': 'erased with the person',
  order: 'kept',
  transfer: 'kept',
};

/**
 * What the specification does not say: which event types of section 2.1 are records of business, or of a customer other than a
 * natural person. Those are kept, and refer to the person only by the platform's id. All others describe a natural person:
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
 * What the erasure of a person does with the events of a type. Events of a type that is not known are erased if they name
 * the person: nothing says that they are records of business, and they may hold anything.
 *
 * @param places of the platform profile
 */
export function onErasure(eventType: string, places: Parameters<typeof placeOf>[1]): OnErasure {
  const place = placeOf(eventType, places);
  if (typeof place === 'object') return onErasureOf[place.kind];
  return lookUp(places, eventType)?.onErasure ?? lookUp(usualErasures, eventType) ?? 'erased with the person';
}
