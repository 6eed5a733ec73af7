/** What a field means, as an editor shows it and the documentation lists it. */
export type FieldMeaning = {
  readonly meaning: string;
  readonly format?: string;
  readonly unit?: string;
  /** Of the specification of the platform, which docs/reference/platform.md describes. */
  readonly section?: string;
  readonly example?: unknown;
};

const formats = {
  uuid: 'a UUID',
  date: 'an ISO 8601 calendar date',
  time: 'an ISO 8601 date-time in UTC, with 0 to 9 digits of the fraction of a second',
  country: 'an ISO 3166-1 alpha-2 country code',
  language: 'an ISO 639-1 code of a language of the EU',
  word: 'a word in capitals. The specification shows examples only',
  https: 'an HTTPS URL',
  sha256: 'a SHA-256 in hexadecimal digits',
} as const;

const money = 'the currency of the account: the specification names none';

/** Fields that a section of the specification describes. */
function ofSection(
  section: string,
  fields: Readonly<Record<string, Omit<FieldMeaning, 'section'>>>,
): Readonly<Record<string, FieldMeaning>> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, section }]));
}

/**
 * What each field of the platform's resources means. The key is the name of the field, or the names of the field around it and of
 * the field, if a name has several meanings.
 */
export const platformFields: Readonly<Record<string, FieldMeaning>> = {
  ...ofSection('2', {
    createdOn: {
      meaning: 'When the platform created the record.',
      format: formats.time,
      example: '2026-01-02T03:04:05.123456Z',
    },
    modifiedOn: {
      meaning: 'When the platform changed the record last.',
      format: formats.time,
      example: '2026-01-02T03:04:05.123456Z',
    },
  }),
  ...ofSection('2.1', {
    eventType: { meaning: 'The event type that the webhook is for.', example: 'TRADITIONAL_ASSET_ORDER_NOTIFICATION' },
    url: {
      meaning: 'Where the platform sends the events.',
      format: formats.https,
      example: 'https://bank.example/webhooks/orders',
    },
    headers: { meaning: 'What the platform sends with each delivery: 5 headers at the most.' },
    'headers.name': { meaning: 'The name of the header.', format: 'text without white space', example: 'X-Secret' },
    'headers.value': { meaning: 'The value of the header.', format: 'text without line breaks', example: '4f1c' },
  }),
  ...ofSection('2.2', {
    id: {
      meaning: 'The id of the undelivered webhook.',
      format: formats.uuid,
      example: '0190a6f0-8901-7abc-8def-012345678901',
    },
    webhook: { meaning: 'The webhook that the delivery was for.' },
    body: {
      meaning: 'The body of the delivery. Personal data.',
      format: 'JSON',
      example: '{"orderId":"0190a6f0-5678-7abc-8def-012345678901"}',
    },
    errorMessage: { meaning: 'Why the delivery failed.', example: '503 Service Unavailable' },
  }),
  ...ofSection('2.4', {
    naturalPersonId: {
      meaning: 'The id that the platform gave the person.',
      format: formats.uuid,
      example: '0190a6f0-1234-7abc-8def-012345678901',
    },
    globalId: { meaning: 'A further id that the platform gave the person.', example: 'G-1234' },
    verifiedOn: {
      meaning: 'When the platform verified the person.',
      format: formats.time,
      example: '2026-01-02T03:04:05.123456Z',
    },
    deathDay: {
      meaning: 'The day on which the person died. A change needs a document.',
      format: formats.date,
      example: '2026-01-02',
    },
    isPep: { meaning: 'Whether the person is politically exposed.', example: false },
    isPepRelated: { meaning: 'Whether the person is close to a politically exposed person.', example: false },
    isSanction: { meaning: 'Whether the person is on a list of sanctions.', example: false },
    riskLevel: { meaning: 'The risk that the platform sees in the person.', format: formats.word, example: 'LOW' },
    naturalPersonIdentifications: { meaning: 'The identifications of the person.' },
    naturalPersonSignedDocuments: { meaning: 'The documents that the person has signed.' },
    gender: { meaning: 'The gender of the person.', format: formats.word, example: 'MALE' },
    title: { meaning: 'The academic title. A change needs a document.', format: formats.word, example: 'PROFESSOR' },
    firstName: {
      meaning: 'All first names, as on the identification document.',
      format: 'words with one space between them',
      example: 'Ada Maria',
    },
    lastName: { meaning: 'The last name. A change needs a document.', example: 'Lovelace' },
    maritalStatus: { meaning: 'The marital status.', format: formats.word, example: 'MARRIED' },
    birthDay: { meaning: 'The day of birth.', format: formats.date, example: '1990-05-17' },
    birthPlace: { meaning: 'The place of birth.', example: 'Vienna' },
    birthCountry: { meaning: 'The country of birth.', format: formats.country, example: 'AT' },
    nationalities: { meaning: 'The nationalities of the person.' },
    countryCode: { meaning: 'The country of the nationality.', format: formats.country, example: 'AT' },
    nationalIdentifier: { meaning: 'The number by which the country knows the person.', example: '1234170590' },
    nationalIdentifierType: { meaning: 'The kind of the number.', format: formats.word, example: 'CONCAT' },
    language: { meaning: 'The language in which the person is addressed.', format: formats.language, example: 'de' },
    taxDetails: { meaning: 'Where the person pays taxes.' },
    taxId: { meaning: 'The tax number.', example: '12-345/6789' },
    taxResidency: { meaning: 'The country of the tax number.', format: formats.country, example: 'AT' },
    noTinConfirmation: {
      meaning: 'Whether the person confirms to have no tax number in that country.',
      example: false,
    },
    isUsNationality: {
      meaning:
        'The FATCA question: whether the person is liable to US tax, for example by nationality, green card or address.',
      example: false,
    },
    profession: { meaning: 'The profession.', example: 'Mathematician' },
    professionGroup: { meaning: 'The group of the profession.', format: formats.word, example: 'EMPLOYED' },
    naceSectors: { meaning: 'The sectors of the economy in which the person works.' },
    'naceSectors.section': { meaning: 'The section of NACE.', format: 'a letter', example: 'K' },
    'naceSectors.description': { meaning: 'The section in words.', example: 'Financial and insurance activities' },
    mainAddress: { meaning: 'Where the person lives.' },
    correspondenceAddress: { meaning: 'Where letters go, if not to the main address.' },
    street: { meaning: 'The street, without the number.', example: 'Ringstrasse' },
    streetNumber: { meaning: 'The number of the house.', example: '12a' },
    city: { meaning: 'The city.', example: 'Vienna' },
    zip: { meaning: 'The postal code.', example: '1010' },
    additionalInfo: { meaning: 'What else belongs to the address.', example: 'Stairs 2' },
    country: { meaning: 'The country of the address.', format: formats.country, example: 'AT' },
    annualIncomeNet: { meaning: 'The annual net income.', unit: money, example: 48000 },
    sourceOfIncome: {
      meaning: 'Where the income comes from.',
      format: formats.word,
      example: ['INCOME_FROM_EMPLOYMENT'],
    },
    availableAssets: { meaning: 'The assets that the person can dispose of.', unit: money, example: 25000 },
    originOfAssets: { meaning: 'Where the assets come from.', format: formats.word, example: ['NON_EMPLOYED_LABOR'] },
    contact: { meaning: 'How the person is reached.' },
    phone: { meaning: 'The telephone number.', example: '+43 1 234567' },
    email: { meaning: 'The e-mail address.', example: 'ada@example.com' },
    fax: { meaning: 'The fax number.', example: '+43 1 234568' },
    website: { meaning: 'The website.', example: 'https://ada.example' },
    externalId: { meaning: 'The id of the person in your system. Each person has another.', example: 'customer-4711' },
    identificationId: {
      meaning: 'The id of the identification.',
      format: formats.uuid,
      example: '0190a6f0-2345-7abc-8def-012345678901',
    },
    partnerDocumentId: {
      meaning: 'The id of the document.',
      format: formats.uuid,
      example: '0190a6f0-3456-7abc-8def-012345678901',
    },
    'naturalPersonSignedDocuments.name': { meaning: 'The name of the document.', example: 'Terms and conditions' },
    documentType: { meaning: 'The kind of the document.', format: formats.word, example: 'TERMS_AND_CONDITIONS' },
    version: { meaning: 'The version of the document.', format: 'a whole number', example: 3 },
    customerId: {
      meaning: 'The id of the customer that the document is for.',
      format: formats.uuid,
      example: '0190a6f0-4567-7abc-8def-012345678901',
    },
  }),
  ...ofSection('2.5', {
    externalVerifier: {
      meaning: 'The vendor that identifies the person: its legal name, as the operator of the platform writes it.',
      example: 'EXTERNAL_VERIFIER_ID',
    },
    identificationType: { meaning: 'How the person is identified.', example: 'VIDEO_IDENT' },
    identificationVerificationId: {
      meaning: 'The id that the platform gave the verification.',
      format: formats.uuid,
      example: '0190a6f0-9abc-7abc-8def-012345678901',
    },
    identificationUrl: {
      meaning: 'The link to the video call. Missing until the verification leaves RECEIVED.',
      format: formats.https,
      example: 'https://ident.example/call/4711',
    },
    documentId: {
      meaning: 'The id of the document that the identification left.',
      format: formats.uuid,
      example: '0190a6f0-6789-7abc-8def-012345678901',
    },
    naturalPersonIdentificationId: {
      meaning: 'The id of the identification that the verification led to.',
      format: formats.uuid,
      example: '0190a6f0-2345-7abc-8def-012345678901',
    },
    redirectUrl: {
      meaning: 'Where the person is sent after the video call, with every outcome.',
      format: formats.https,
      example: 'https://bank.example/identified',
    },
  }),
  ...ofSection('3.1', {
    naturalPersonStatus: {
      meaning: 'The status of the person. Only an ACTIVE person is accepted as a requestor.',
      example: 'ACTIVE',
    },
    'NATURAL_PERSON_NOTIFICATION.status': { meaning: 'The status of the person.', example: 'ACTIVE' },
  }),
  ...ofSection('3.2', {
    status: { meaning: 'The status of the verification.', example: 'PENDING' },
  }),
  ...ofSection('3.3', {
    orderId: {
      meaning: 'The id that the platform gave the order.',
      format: formats.uuid,
      example: '0190a6f0-5678-7abc-8def-012345678901',
    },
    'TRADITIONAL_ASSET_ORDER_NOTIFICATION.status': { meaning: 'The status of the order.', example: 'FILLED' },
  }),
  ...ofSection('3.4', {
    transferId: {
      meaning: 'The id that the platform gave the transfer.',
      format: formats.uuid,
      example: '0190a6f0-7890-7abc-8def-012345678901',
    },
    transferStatus: { meaning: 'The status of the transfer.', example: 'PROCESSED' },
    'TRANSFER_NOTIFICATION.status': { meaning: 'The status of the transfer.', example: 'PROCESSED' },
  }),
  ...ofSection('4', {
    executionId: {
      meaning: 'The id of the execution, by which its trade invoice is fetched.',
      format: formats.uuid,
      example: '0190a6f0-1357-7abc-8def-012345678901',
    },
  }),
  ...ofSection('4.2', {
    identificationDate: {
      meaning: 'The day of the identification: within the last 24 months.',
      format: formats.date,
      example: '2026-01-02',
    },
    identificationDocumentType: { meaning: 'The kind of the document.', format: formats.word, example: 'ID' },
    documentNumber: { meaning: 'The number of the document.', example: 'P1234567' },
    documentCountry: { meaning: 'The country that issued the document.', format: formats.country, example: 'AT' },
    documentIssuer: { meaning: 'The authority that issued the document.', example: 'City of Vienna' },
    documentIssueDate: {
      meaning: 'The day on which the document was issued.',
      format: formats.date,
      example: '2020-03-04',
    },
    documentExpiryDate: {
      meaning:
        'The day on which the document expires; of a birth certificate, the day on which the person comes of age.',
      format: formats.date,
      example: '2030-03-03',
    },
    documentMotherFullName: {
      meaning: 'The full name of the mother. Mandatory with a BIRTH_CERTIFICATE.',
      example: 'Anna Byron',
    },
    documentMotherResidenceCity: {
      meaning: 'The city in which the mother lives. Mandatory with a BIRTH_CERTIFICATE.',
      example: 'Graz',
    },
    documentFatherFullName: {
      meaning: 'The full name of the father. Mandatory with a BIRTH_CERTIFICATE.',
      example: 'George Byron',
    },
    documentFatherResidenceCity: {
      meaning: 'The city in which the father lives. Mandatory with a BIRTH_CERTIFICATE.',
      example: 'Linz',
    },
  }),
  // The specification does not show these.
  notificationType: { meaning: 'What the webhook is about. Not specified: seen.', example: 'UPDATED' },
  validationError: { meaning: 'Why the platform refused a request. Not specified: seen.' },
  errorType: { meaning: 'The code of the reason.', example: 'VALIDATION_ERROR' },
  description: { meaning: 'The reason in words. May name the person.', example: 'The postal code is invalid' },
  side: { meaning: 'Whether the order buys or sells.', example: 'BUY' },
  isin: { meaning: 'The asset.', format: 'an ISIN', example: 'DE0001102580' },
  quantity: { meaning: 'How much of the asset.', unit: 'pieces', example: 10 },
  limitPrice: {
    meaning: 'The specified price: the order is executed at it or at a better one.',
    unit: money,
    example: 101.5,
  },
  message: { meaning: 'Why the order is REJECTED.', example: 'INSUFFICIENT_FUNDS' },
  executions: { meaning: 'The executions of the order; of a CORRECTED one, as they were corrected.' },
  executedOn: { meaning: 'When the order was executed.', format: formats.time, example: '2026-01-02T03:04:05.123456Z' },
  price: { meaning: 'The price of the execution.', unit: money, example: 100.25 },
  direction: { meaning: 'Whether the money goes OUT or comes IN.', example: 'OUT' },
  amount: { meaning: 'The amount of the transfer.', unit: money, example: 250 },
  rejectReason: { meaning: 'Why the transfer is REJECTED.', example: 'INSUFFICIENT_FUNDS' },
};

/** What each field of an event of the bus says, for engineers who build on the bus. */
export const busFields: Readonly<Record<string, FieldMeaning>> = {
  kind: { meaning: 'What the entity is.', example: 'order' },
  id: { meaning: 'The id that the platform gave the entity.', example: '0190a6f0-5678-7abc-8def-012345678901' },
  sequence: {
    meaning:
      'Grows with each change of the entity, or step of the onboarding, with gaps. An event may come more than once, and in any order. To show the latest state, keep the highest sequence of each and drop what is not above it; to book, handle each sequence once.',
    format: 'a whole number above 0',
    example: 42,
  },
  status: {
    meaning:
      'The status that is shown now, or of …StatusReported the one that was reported (section 3 of the specification). New words come without notice.',
    section: '3',
    example: 'FILLED',
  },
  statusBefore: {
    meaning: 'The status that was shown before. Absent if the entity was not known.',
    section: '3',
    example: 'PENDING',
  },
  transactionStatus: {
    meaning: 'Of orders and transfers (section 3.5). Absent for a status that section 3.5 does not map.',
    section: '3.5',
    example: 'COMPLETED',
  },
  modifiedOn: {
    meaning: "The platform's time of the status, to the nanosecond, as it was written. Absent if it gave none.",
    format: formats.time,
    example: '2026-01-02T03:04:05.123456789Z',
  },
  anomalies: {
    meaning:
      'What contradicts a final status, where this change shows it first: docs/reference/states.md says what is one.',
    example: [],
  },
  remedies: { meaning: 'What an operator does about each of the anomalies, in the same order.', example: [] },
  errorType: {
    meaning: "The platform's code of the reason. Absent if the platform gave none, or one that is not in capitals.",
    example: 'VALIDATION_ERROR',
  },
  differed: {
    meaning:
      'What differed from the platform: entity (it was not known), status, modifiedOn (only the time of the status).',
    example: ['status'],
  },
  eventId: {
    meaning: 'The webhook behind it: GET /events/{eventId} shows it. The same webhook is the same id.',
    format: formats.sha256,
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  eventType: {
    meaning: "The platform's event type (section 2.1).",
    section: '2.1',
    example: 'TRADITIONAL_ASSET_ORDER_NOTIFICATION',
  },
  receivedOn: {
    meaning: 'When the webhook was delivered last. UTC.',
    format: formats.time,
    example: '2026-01-02T03:04:06.789Z',
  },
  onboardingId: {
    meaning: "Names the onboarding: the SHA-256 of the partner's externalId, in hex.",
    format: formats.sha256,
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  step: {
    meaning: 'How far the onboarding is: docs/reference/onboarding-steps.md says what each step means.',
    example: 'AWAITING_VIDEO_CALL',
  },
  since: { meaning: 'When it came to the step. UTC.', format: formats.time, example: '2026-01-02T03:04:06.789Z' },
  mode: { meaning: 'How the person is identified.', example: 'video' },
  naturalPersonId: {
    meaning: 'The id that the platform gave the person. Absent until it has it.',
    example: '0190a6f0-1234-7abc-8def-012345678901',
  },
  identificationVerificationId: {
    meaning: 'The id of the identification verification (section 2.5), where there is one.',
    section: '2.5',
    example: '0190a6f0-9abc-7abc-8def-012345678901',
  },
  isIdentificationOpen: {
    meaning:
      'true where the person is ACTIVE and Drawbridge has not seen its identification succeed. Absent otherwise.',
    example: true,
  },
  reasonCodes: {
    meaning:
      "The platform's codes of why the entity has the status, or the platform refused a request. Absent if it gave none. GET /events/{eventId} has the texts.",
    example: ['INSUFFICIENT_FUNDS'],
  },
  reasons: {
    meaning:
      'Why it does not continue, in words, with names of fields: docs/reference/onboarding-steps.md says what to do.',
    example: [{ code: 'VALIDATION_ERROR', fields: ['taxDetails'], source: 'platform' }],
  },
  requestEventId: {
    meaning: 'The id of the event that asked for it.',
    example: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
  },
  outcome: {
    meaning:
      'INVALID: fields are wrong. CONFLICT: there is one with other data. ENDED: there is one that has ended. ERASED: its person was erased. BEING_ERASED: an erasure of its person has begun and not ended.',
    example: 'INVALID',
  },
  remedy: { meaning: 'What the sender can do next.', example: 'Correct the fields, and send the request again.' },
  problems: {
    meaning: 'Each field and what is wrong with it; never a value.',
    example: [{ field: 'person.birthDay', reason: 'must be an ISO 8601 calendar date' }],
  },
  reason: { meaning: 'Why it has no effect. Replay it once the reason is gone.', example: 'unknown event type' },
  code: {
    meaning: 'A condition of the platform, HTTP_ and a status, or a word of Drawbridge.',
    example: 'VALIDATION_ERROR',
  },
  fields: { meaning: 'The names of the fields that the reason is about.', example: ['taxDetails'] },
  source: { meaning: 'platform for a code of the platform. Absent for the others.', example: 'platform' },
  field: { meaning: 'The name of a field of the request.', example: 'person.birthDay' },
  'problems.reason': {
    meaning: 'What is wrong with the field; never its value.',
    example: 'must be an ISO 8601 calendar date',
  },
};

/** The fields that EventBridge puts around each detail. */
export const envelopeFields: Readonly<Record<string, FieldMeaning>> = {
  id: {
    meaning: 'The id of the publication. The same event published twice has two: compare sequence and eventId.',
    example: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
  },
  source: { meaning: 'Who published the event.', example: 'drawbridge' },
  'detail-type': { meaning: 'The name of the event.', example: 'OrderStatusChanged' },
  time: { meaning: 'When the event was published. UTC.', format: formats.time, example: '2026-01-02T03:04:06Z' },
  detail: { meaning: 'What the event says.' },
};

/** What each field of an answer of Drawbridge's API means. A field of the same name means the same everywhere. */
export const apiFields: Readonly<Record<string, string>> = {
  kind: 'The kind of the entity.',
  id: 'The id that the platform gave the entity.',
  sequence: 'Grows with each change, with gaps. The same number as on the bus.',
  status: 'The status that is shown. Absent while no report decides the status. New words come without notice.',
  changedOn: 'When Drawbridge changed the status that is shown. UTC.',
  transactionStatus: 'Of orders and transfers.',
  modifiedOn: "The platform's time of the status, to the nanosecond.",
  anomalies: 'What contradicts a final status.',
  remedies: 'What to do about each anomaly, in the same order.',
  toReadBack: 'Whether a report left the status open, so that Reconcile reads the entity.',
  events: 'The events of the entity, in the order of receipt.',
  eventId: 'The id of the event: a SHA-256, in hexadecimal digits.',
  eventType: "The platform's event type.",
  receivedOn: 'When the event was delivered last, or for a stored webhook first. UTC.',
  notificationType: "The platform's word for the kind of notification.",
  errorType: "The platform's code of the reason why it refused an update.",
  reasonCodes: "The platform's codes of why the entity has the status. Absent if it gave none.",
  readOn: 'When the platform was asked, if the event is an answer that was read back.',
  effect: 'applied, superseded, duplicate or anomaly. New words come with later releases.',
  change: 'What the event changed of what is shown.',
  statusBefore: 'The status that was shown before. Absent if the entity was not known.',
  deliveries: 'How many times the platform delivered the event.',
  quarantineReason: 'Why the event has no effect.',
  entity:
    'The entity that the event is about. Absent in quarantine, after an erasure, and where the event is about none.',
  erasedOn: 'When the body was erased. There is no body then.',
  body: 'The webhook, byte for byte. Personal data.',
  bodyBase64: 'The webhook in base64, if the bytes are not UTF-8. Personal data.',
  onboardingId: 'The SHA-256 of the externalId, in hexadecimal digits: the name of the onboarding in events and logs.',
  step: 'The step of the onboarding.',
  since: 'When the onboarding came to the step, or when the failure began. UTC.',
  mode: 'How the person is identified.',
  naturalPersonId: 'The id that the platform gave the person.',
  naturalPersonIds: 'The ids that the platform gave the person. In others and in a problem: the ids of other persons.',
  identificationVerificationIds: 'The ids that the platform gave the verifications of the person.',
  onboardingIds: 'The ids of other onboardings, which an id of the request belongs to as well.',
  onboarding: 'The step of the onboarding, or ERASED. Absent if there is none.',
  continueFrom: 'Has no effect. Callers of 0.2.0 send it.',
  expiresOn: 'When the event is deleted, or hours later; of a count, the first of its events.',
  requests:
    'What the onboardings still hold of their requests, with request=include. Personal data, which leaves once the platform has it.',
  person: 'The requested person, with its externalId, until the platform has the person.',
  identification: 'The identification of the request, until the platform has it.',
  redirectUrl: 'Where the person goes after the video call, until the call is approved.',
  kept: 'The events that name the person, and that an erasure keeps.',
  others: 'What gives an id of the request to another externalId, or to another person.',
  isIndexed: 'Whether the index of persons has every stored event. If not, send the request again.',
  isComplete: 'Whether all is listed. If not, the person has more events than one answer can list.',
  identificationVerificationId: 'The id that the platform gave the identification verification.',
  reasons: 'Why the onboarding stopped or failed.',
  code: 'A condition of the platform, HTTP_ and a status, or a word of Drawbridge.',
  fields: 'The names of the fields that the reason is about.',
  source: 'platform for a code of the platform. Absent for the others.',
  remedy: 'What the caller can do next.',
  acceptedOn: 'When the onboarding was requested. UTC.',
  stalledOn: 'When the step passed its deadline. UTC.',
  identificationUrl: 'Where the person makes the video call.',
  hasIdentificationUrl: 'Whether the person can make the video call now.',
  isIdentificationOpen:
    'true if the person is ACTIVE although its identification has not ended, or has failed: `reasons` say why. Absent otherwise.',
  unknownStatus: 'A status of the person or the verification that no setting explains. The onboarding waits with it.',
  failing: 'The failure, while the platform fails the step.',
  attempts: 'How many attempts have failed since then.',
  nextAttemptOn: 'When the onboarding tries again by itself. UTC.',
  items: 'The rows of the page, the latest first.',
  bodyBytes: 'The size of the whole body. In place of a body that does not fit one answer: read its parts.',
  from: 'Where the part of the body begins, in bytes.',
  nextFrom: 'The query parameter from of the next part. Absent at the end.',
  count: 'How many events the answer counts.',
  counts: 'How many events each reason and type has, the most frequent first.',
  newest: 'When the newest of these events was delivered first. UTC.',
  oldest: 'When the oldest of these events was delivered first. UTC.',
  nextCursor: 'The query parameter cursor of the next page. Absent on the last page.',
  updatedOn: 'When Drawbridge saved the onboarding last. UTC.',
  message: 'What to do.',
  type: 'The kind of problem. Decide by this member.',
  title: 'The kind of problem in words.',
  detail: 'What is wrong this time.',
  errors: 'Each invalid part of the request.',
  pointer: 'A field of the body: a JSON Pointer as a URI fragment.',
  parameter: 'The name of a query parameter.',
  reason: 'The condition of the platform.',
};
