/**
 * Every rule of the specification of the platform, sections 2 to 9, in our words: each row of its tables and each
 * numbered rule. The key begins with the section. A contract test is named after the rule that it checks. What no test tries
 * is named in the text, behind "Not tried".
 */
export const rules = {
  '2 identifiers': 'Identifiers are UUIDs.',
  '2 date-time': 'date-time fields are ISO 8601, in UTC.',
  '2 date': 'date fields are ISO 8601 calendar dates.',
  '2 country': 'Country fields are ISO 3166-1 alpha-2.',
  '2 language': 'language is ISO 639-1, of EU languages only.',

  '2.1 createdOn': 'A webhook has createdOn, which cannot be written.',
  '2.1 modifiedOn': 'A webhook has modifiedOn, which cannot be written.',
  '2.1 eventType': 'A webhook has an eventType.',
  '2.1 url': 'A webhook has a url, which must be HTTPS.',
  '2.1 headers': 'A webhook may have at most 5 headers, which are sent with each call.',
  '2.1 Header name': 'The name of a header has no white space.',
  '2.1 Header value': 'A header has a value.',
  '2.1 WebhookData': 'A webhook is registered with eventType, url and optional headers.',
  '2.1 WebhookMissing': 'Event types without a webhook are listed as objects with eventType.',
  '2.1 EventTypeEnum': 'The platform has the 28 event types of section 2.1.',

  '2.2 id': 'An undelivered webhook has a UUID as its id.',
  '2.2 webhook': 'An undelivered webhook has the webhook that was called.',
  '2.2 body': 'An undelivered webhook has the body of the request.',
  '2.2 errorMessage': 'An undelivered webhook has the error of the attempt.',
  '2.2 createdOn': 'An undelivered webhook has createdOn.',
  '2.2 modifiedOn': 'An undelivered webhook has modifiedOn.',
  '2.2 UndeliveredWebhooks': 'The list has data and pagination.',
  '2.2 MarkDeliveredWebhooksData': 'Marking one undelivered webhook marks all older ones too.',

  '2.3 cursor': 'The cursor of a page goes into the request for the next page.',
  '2.3 limit': 'The limit is the maximum number of returned items.',

  '2.4 naturalPersonId': 'A natural person is returned with naturalPersonId, a UUID, which cannot be written.',
  '2.4 globalId': 'A natural person is returned with globalId, which cannot be written.',
  '2.4 createdOn, modifiedOn, verifiedOn': 'The times of a natural person are returned, and cannot be written.',
  '2.4 deathDay': 'deathDay is returned; it is no field of the create body.',
  '2.4 isPep, isPepRelated, isSanction': 'The flags of a natural person are returned, and cannot be written.',
  '2.4 riskLevel': 'riskLevel is returned, and cannot be written.',
  '2.4 naturalPersonStatus': 'naturalPersonStatus is returned, and cannot be written.',
  '2.4 naturalPersonIdentifications': 'The identifications of a natural person are returned, and cannot be written.',
  '2.4 naturalPersonSignedDocuments': 'The signed documents of a natural person are returned, and cannot be written.',
  '2.4 gender': 'gender is a word of an enum.',
  '2.4 title': 'title is a word of an enum; a change needs a document.',
  '2.4 firstName': 'firstName has all first names, with one space between them.',
  '2.4 lastName': 'lastName can be written; a change needs a document.',
  '2.4 maritalStatus': 'maritalStatus is a word of an enum.',
  '2.4 birthDay': 'birthDay is a date.',
  '2.4 birthPlace': 'birthPlace can be written.',
  '2.4 birthCountry': 'birthCountry is a country code.',
  '2.4 nationalities': 'nationalities have countryCode, nationalIdentifier and nationalIdentifierType.',
  '2.4 language': 'language is a language of the EU.',
  '2.4 taxDetails': 'taxDetails have taxId, taxResidency and noTinConfirmation.',
  '2.4 isUsNationality': 'isUsNationality is true or false.',
  '2.4 profession': 'profession can be written.',
  '2.4 professionGroup': 'professionGroup is a word of an enum.',
  '2.4 naceSectors': 'naceSectors have section and description.',
  '2.4 mainAddress': 'mainAddress is an Address.',
  '2.4 correspondenceAddress': 'correspondenceAddress is an Address.',
  '2.4 annualIncomeNet': 'annualIncomeNet is a number.',
  '2.4 sourceOfIncome': 'sourceOfIncome are words of an enum.',
  '2.4 availableAssets': 'availableAssets is a number.',
  '2.4 originOfAssets': 'originOfAssets are words of an enum.',
  '2.4 contact': 'contact has phone, email, fax and website.',
  '2.4 externalId': 'externalId is the id in the system of the partner, and unique.',
  '2.4 Address': 'An Address has street, streetNumber, city, zip, additionalInfo and country.',
  '2.4 NaturalPersonIdentification': 'An identification is returned with its id, its times and what was supplied.',
  '2.4 SignedDocument':
    'A signed document has partnerDocumentId, name, documentType, version, customerId and its times.',

  '2.5 identificationVerificationId': 'A verification has a UUID as its id.',
  '2.5 naturalPersonId': 'A verification has the person that it identifies.',
  '2.5 externalVerifier': 'Only one externalVerifier is supported.',
  '2.5 identificationType': 'Only VIDEO_IDENT is supported.',
  '2.5 identificationUrl': 'identificationUrl is the link to the video call.',
  '2.5 documentId':
    'A verification has a documentId, a UUID; observed: once it is approved. Not tried: which document has the id.',
  '2.5 naturalPersonIdentificationId':
    'naturalPersonIdentificationId names an identification of the person; observed: once the verification is approved.',
  '2.5 createdOn, modifiedOn': 'A verification has its times.',
  '2.5 status': 'A verification has a status.',

  '3.1 CREATED': 'A natural person can be CREATED.',
  '3.1 ACTIVE': 'Only an ACTIVE natural person is accepted as a requestor.',
  '3.1 SUSPENDED': 'A SUSPENDED natural person is no requestor.',
  '3.1 BLOCKED': 'A BLOCKED natural person is no requestor.',
  '3.2 RECEIVED': 'A new verification is RECEIVED.',

  '3.3 RECEIVED': 'An order that has passed the API layer is RECEIVED.',
  '3.3 INVALID': 'An order that fails validation is INVALID: notified, kept 48 hours, then purged and Not Found.',
  '3.3 PENDING': 'A queued order is PENDING, and may become FILLED, CANCELED or REJECTED.',
  '3.3 CANCELED': 'PENDING and CORRECTED orders may be CANCELED, which is final.',
  '3.3 REJECTED': 'A PENDING order may be REJECTED, which is final and notified with the reason.',
  '3.3 FILLED': 'A PENDING order that is executed is FILLED, and may become SETTLED.',
  '3.3 CORRECTED': 'A FILLED order may be CORRECTED, and then CANCELED.',
  '3.3 SETTLED': 'A FILLED order becomes SETTLED, which is final; its funds can be withdrawn.',
  '3.3 flow 1': 'Creating an order returns an order id with status RECEIVED.',
  '3.3 flow 2': 'An execution updates balance and position; FILLED is notified, and SETTLED later.',
  '3.3 flow 3': 'An insufficient balance or position is notified as REJECTED.',
  '3.3 flow 4': 'A successful cancel makes the order CANCELED and is notified; a failed one changes and sends nothing.',

  '3.4 Create Transfer': 'An outgoing transfer is RECEIVED, and its id returned.',
  '3.4 RECEIVED, balance sufficient':
    'An outgoing transfer with enough balance becomes PENDING: the balance is updated, PENDING notified.',
  '3.4 PENDING': 'A transfer that the payment network has completed is PROCESSED, which is notified.',
  '3.4 RECEIVED, insufficient balance':
    'An outgoing transfer without enough balance becomes REJECTED, which is notified.',
  '3.4 incoming': 'An incoming payment is PROCESSED: the balance is updated, PROCESSED notified.',
  '3.4 INVALID': 'A transfer that fails validation is INVALID.',

  '3.5 COMPLETED': 'The transaction of a FILLED or SETTLED order, and of a PROCESSED transfer, is COMPLETED.',
  '3.5 MODIFIED': 'The transaction of a CORRECTED order is MODIFIED.',
  '3.5 order N/A': 'A RECEIVED, INVALID, PENDING, CANCELED or REJECTED order has no transaction.',
  '3.5 transfer N/A': 'A RECEIVED, INVALID, PENDING or REJECTED transfer has no transaction.',

  '4 JSON': 'JSON bodies have Content-Type application/json.',
  '4 Get Token': 'A form is answered with access_token, token_type and expires_in.',
  '4 List assets': 'Assets are listed, up to the limit.',
  '4 Cancel order': 'DELETE cancels an order.',
  '4 Get trade invoice': 'The TRADE_INVOICE document of a filled order is returned by its executionId.',
  '4 Create Identification Verification': 'A verification is created with Requestor-ID; its id is returned.',
  '4 Get Identification Verifications': 'Verifications are listed with Requestor-ID, by cursor and limit.',
  '4 Get Identification Verification': 'A verification is returned with Requestor-ID; it has the link to the call.',
  '4 Create natural person': 'A natural person is created without Requestor-ID; its id is returned.',
  '4 Get natural persons': 'Natural persons are listed by cursor, limit and status, without Requestor-ID.',
  '4 Get natural person': 'A natural person is returned without Requestor-ID.',
  '4 Update natural person': 'An update with Requestor-ID is Accepted with no content.',
  '4 Create natural person identification': 'An identification with Requestor-ID is Accepted with no content.',

  '4.1 naturalPersonUpdateData': 'Only the listed fields can be changed.',
  '4.1 documentId': 'title, lastName and deathDay need a documentId.',

  '4.2 externalVerifier': 'An identification has an externalVerifier; any but the supported one is Not Implemented.',
  '4.2 identificationType': 'An identification has an identificationType; any but VIDEO_IDENT is Not Implemented.',
  '4.2 identificationDate': 'identificationDate is within the last 24 months.',
  '4.2 identificationDocumentType': 'An identification has an identificationDocumentType.',
  '4.2 documentNumber': 'An identification has a documentNumber.',
  '4.2 documentCountry': 'documentCountry is a country code.',
  '4.2 documentIssuer': 'An identification has a documentIssuer.',
  '4.2 documentIssueDate': 'documentIssueDate is a date.',
  '4.2 documentExpiryDate':
    'documentExpiryDate is a date; of a birth certificate, when the person comes of age, here at 18. The sandbox refuses what is over; the client does not check that.',
  '4.2 documentMotherFullName':
    'documentMotherFullName is mandatory with BIRTH_CERTIFICATE, and allowed with any document.',
  '4.2 documentMotherResidenceCity':
    'documentMotherResidenceCity is mandatory with BIRTH_CERTIFICATE, and allowed with any document.',
  '4.2 documentFatherFullName':
    'documentFatherFullName is mandatory with BIRTH_CERTIFICATE, and allowed with any document.',
  '4.2 documentFatherResidenceCity':
    'documentFatherResidenceCity is mandatory with BIRTH_CERTIFICATE, and allowed with any document.',

  '5 flow 1': 'Client Credentials: a client_id and a client_secret are exchanged for a token.',
  '5 flow 2': 'The token request is a form with grant_type, client_id and client_secret.',
  '5 flow 3': 'A token is a Bearer token, valid for 3600 seconds.',
  '5 flow 4': 'Calls carry Authorization: Bearer, and go to the base URL.',
  '5 flow 5': 'An environment has its own token service and base URL.',
  '5 requestor 1': 'Requestor-ID is the id of a natural person.',
  '5 requestor 2':
    'Token and onboarding calls need no Requestor-ID. The operations that section 4 shows with it are answered 400 or 403 without it; with the setting requireRequestorEverywhere also reads of persons and the webhook operations.',
  '5 requestor 3': 'A requestor that is not ACTIVE is refused with VALIDATION_ERROR.',
  '5 requestor 4': 'A requestor may act for itself.',
  '5 requestor 5':
    'A requestor with an ACTIVE proxy may act for the person or legal entity that it represents. Of a legal entity, the cancel of an order is tried; section 4 shows no other call about one.',
  '5 requestor 6': 'Any other requestor is refused with Requestor-ID invalid.',

  '6 HTTPS': 'Notifications go to the registered URL with the registered headers.',
  '6 order INVALID':
    'A notification is sent when an order becomes INVALID. No other status than those of section 6 is notified.',
  '6 order REJECTED': 'A notification with the reason is sent when an order becomes REJECTED.',
  '6 order CANCELED': 'A notification is sent when a cancel makes an order CANCELED.',
  '6 order FILLED, SETTLED': 'A notification is sent when an order becomes FILLED, and when it becomes SETTLED.',
  '6 transfer':
    'A notification is sent when a transfer becomes PENDING, PROCESSED or REJECTED, and for an incoming one.',
  '6 failed cancel': 'A failed cancel sends no notification.',
  '6 undelivered': 'Failed deliveries are kept as undelivered webhooks, and can be marked up to an id.',

  '7 Bad Request':
    'Operations answer 400 to invalid requests, also without Requestor-ID. Not tried here: each operation with each fault (test/sandbox/platform/app/bad-input.test.ts sends random input).',
  '7 Forbidden': 'A missing Requestor-ID may be 403.',
  '7 Not Found': 'An unknown natural person and a purged INVALID record are Not Found.',
  '7 Conflict': 'An externalId that is in use is a Conflict.',
  '7 Not Implemented':
    'An unsupported verifier or identification type is Not Implemented, in a verification and in an identification.',
  '7 VALIDATION_ERROR': 'The error names VALIDATION_ERROR when the requestor is not ACTIVE.',
  '7 Requestor-ID invalid': 'The error says Requestor-ID invalid without a direct match or an ACTIVE proxy.',

  '8 Access token lifetime': 'An access token lives 3600 seconds.',
  '8 Headers per webhook': 'A webhook has at most 5 headers.',
  '8 Default page size': 'A page has 20 items by default.',
  '8 identificationDate': 'identificationDate is within the last 24 months of the call.',
  '8 Retention of INVALID records': 'INVALID records are kept 48 hours, then purged.',
  '8 Trade document generation': 'Trade documents exist some seconds after FILLED.',
  '8 asset universe': 'ISINs outside the asset universe have no trade document, even when the order executed.',

  '9.1': 'Paths carry no version prefix.',
  '9.2': 'The description of the webhooks is labelled version 1.0.',
} as const satisfies Readonly<Record<string, string>>;

export type RuleId = keyof typeof rules;
