/** What stands above the lines of both files. */
export const given = `
import { type BusEventOf, type BusEvent, busEventSchemas, createConsumer, hasReached, inMemorySequences, isKnownWord, statusWords, unknownField, unknownWord } from '@drawbridge-partner/drawbridge/events';
import { type IdentificationVerification, type NaturalPerson, type NewNaturalPerson, type Platform, type Transfer } from '@drawbridge-partner/drawbridge/platform';
import type * as z from 'zod';
declare const platform: Platform;
declare const person: NaturalPerson;
declare const verification: IdentificationVerification;
declare const transfer: Transfer;
declare const event: BusEvent;
declare const order: BusEventOf<'OrderStatusChanged'>;
declare const onboarding: BusEventOf<'OnboardingProgressed'>;
declare const rejected: BusEventOf<'OnboardingRejected'>;
declare const received: BusEventOf<'EventReceived'>;
declare const known: NewNaturalPerson;
const { detail } = order;
const { status } = detail;
const sequences = inMemorySequences();
const asPerson = platform.onBehalfOf('0190a6f0-1234-7abc-8def-012345678901');
`.trim();

/** What a partner writes by mistake, and what was meant: each is a complete line. */
export const typeMistakes: readonly (readonly [wrong: string, right: string])[] = [
  // Fields of events
  ["hasReached(detail, 'FILED');", "hasReached(detail, 'FILLED');"],
  ['detail.statsu;', 'detail.status;'],
  ['detail.orderId;', 'detail.id;'],
  ['order.details;', 'order.detail;'],
  ["order['detailType'];", "order['detail-type'];"],
  ['onboarding.detail.externalId;', 'onboarding.detail.onboardingId;'],
  ['rejected.detail.problems[0]?.filed;', 'rejected.detail.problems[0]?.field;'],
  ['received.detail.body;', 'received.detail.eventId;'],
  // Words of events
  ["status === 'FILED';", "status === 'FILLED';"],
  ["status !== 'filled';", "status !== 'FILLED';"],
  ["status === 'ACTIVE';", "status === 'SETTLED';"],
  ["detail.statusBefore === 'CANCELLED';", "detail.statusBefore === 'CANCELED';"],
  ["detail.transactionStatus === 'COMPLETE';", "detail.transactionStatus === 'COMPLETED';"],
  ["switch (status) { case 'SETLED': break; }", "switch (status) { case 'SETTLED': break; }"],
  ["onboarding.detail.step === 'COMPLETE';", "onboarding.detail.step === 'COMPLETED';"],
  ["onboarding.detail.mode === 'vidoe';", "onboarding.detail.mode === 'video';"],
  ["rejected.detail.outcome === 'CONFLICTS';", "rejected.detail.outcome === 'CONFLICT';"],
  ["detail.kind === 'transfer';", "detail.kind === 'order';"],
  ["received.detail.eventType === 'TRANSFER_NOTIFCATION';", "received.detail.eventType === 'TRANSFER_NOTIFICATION';"],
  [
    "if (event['detail-type'] === 'OrderStatusChange') event;",
    "if (event['detail-type'] === 'OrderStatusChanged') event;",
  ],
  ["const first: typeof status = 'HALTED';", "const first: typeof status = unknownWord('HALTED');"],
  [
    "const last: (typeof statusWords.order)[number] = 'FILED';",
    "const last: (typeof statusWords.order)[number] = 'FILLED';",
  ],
  // Handlers
  [
    'createConsumer({ sequences, handlers: { OrderStatusChange: async () => undefined } });',
    'createConsumer({ sequences, handlers: { OrderStatusChanged: async () => undefined } });',
  ],
  [
    "createConsumer({ sequences, handlers: { OrderStatusChanged: async ({ detail: { status } }) => status === 'FILED' } });",
    "createConsumer({ sequences, handlers: { OrderStatusChanged: async ({ detail: { status } }) => status === 'FILLED' } });",
  ],
  // What the platform answers
  ['person.firstname;', 'person.firstName;'],
  ['person.mainAddress?.zipCode;', 'person.mainAddress?.zip;'],
  ['person.taxDetails?.[0]?.taxID;', 'person.taxDetails?.[0]?.taxId;'],
  ["person.naturalPersonStatus === 'ACITVE';", "person.naturalPersonStatus === 'ACTIVE';"],
  ["transfer.transferStatus === 'PROCESED';", "transfer.transferStatus === 'PROCESSED';"],
  ['transfer.status;', 'transfer.transferStatus;'],
  ["verification.status === 'APROVED';", "verification.status === 'APPROVED';"],
  ['verification.identificationURL;', 'verification.identificationUrl;'],
  ["person['nickName'];", "unknownField(person, 'nickName');"],
  // What is sent
  [
    "platform.createNaturalPerson({ ...known, birthContry: 'AT' });",
    "platform.createNaturalPerson({ ...known, birthCountry: 'AT' });",
  ],
  [
    "platform.createNaturalPerson({ ...known, mainAddress: { zipCode: '1010' } });",
    "platform.createNaturalPerson({ ...known, mainAddress: { zip: '1010' } });",
  ],
  [
    "platform.createNaturalPerson({ ...known, isUsNationality: 'no' });",
    'platform.createNaturalPerson({ ...known, isUsNationality: false });',
  ],
  [
    "platform.createNaturalPerson({ firstName: 'Ada', lastName: 'Lovelace' });",
    "platform.createNaturalPerson({ firstName: 'Ada', lastName: 'Lovelace', gender: 'FEMALE', birthDay: '1990-05-17', birthPlace: 'Vienna', birthCountry: 'AT', isUsNationality: false });",
  ],
  [
    "asPerson.updateNaturalPerson('id', { naturalPersonUpdateData: { lastname: 'Byron' } });",
    "asPerson.updateNaturalPerson('id', { naturalPersonUpdateData: { lastName: 'Byron' } });",
  ],
  [
    "asPerson.createIdentificationVerification({ naturalPersonId: 'id', externalVerifier: 'V', identificationType: 'VIDEO' });",
    "asPerson.createIdentificationVerification({ naturalPersonId: 'id', externalVerifier: 'V', identificationType: 'VIDEO_IDENT' });",
  ],
  [
    "platform.registerWebhook({ eventType: 'TRANSFER_NOTIFCATION', url: 'https://bank.example' });",
    "platform.registerWebhook({ eventType: 'TRANSFER_NOTIFICATION', url: 'https://bank.example' });",
  ],
  [
    "platform.registerWebhook({ eventType: 'TRANSFER_NOTIFICATION', url: 'https://bank.example', header: [] });",
    "platform.registerWebhook({ eventType: 'TRANSFER_NOTIFICATION', url: 'https://bank.example', headers: [] });",
  ],
  ["platform.getWebhook('TRANSFERS');", "platform.getWebhook(unknownWord('TRANSFERS'));"],
  [
    "platform.listNaturalPersons({ naturalPersonStatus: 'ACITVE' });",
    "platform.listNaturalPersons({ naturalPersonStatus: 'ACTIVE' });",
  ],
  ["platform.listNaturalPersons({ status: 'ACTIVE' });", 'platform.listNaturalPersons({ limit: 5 });'],
];

/** What goes on to compile: no type is narrower than what a schema reads. */
export const typeUses: readonly string[] = [
  "person.gender === 'FEMALE';",
  "status === unknownWord('HALTED');",
  'const text: string | undefined = status;',
  'if (status !== undefined && isKnownWord(statusWords.order, status)) { const word: (typeof statusWords.order)[number] = status; word; }',
  "const written: z.output<(typeof busEventSchemas)['OrderStatusChanged']> = order;",
  "const back: BusEventOf<'OrderStatusChanged'> = written;",
];
