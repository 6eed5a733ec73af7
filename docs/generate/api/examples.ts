import type * as z from 'zod/mini';
import { concealLink } from '#shared/api/conceal-link.ts';
import type { AnswerName, answerSchemas, ProblemSlug, RequestName, requestSchemas } from './schemas.ts';

const eventId = '5e1f0c7cbb6c1ab7a7d0c6a9b0a1a0ee0d1f7c3f4c7f0b8a6d5e4c3b2a190807';
const onboardingId = '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab';
const naturalPersonId = '0190a6f0-1234-7abc-8def-0123456789ab';
const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
const errors = [{ pointer: '#/person/firstName', detail: 'must be text' }];

type Examples<Name extends string, Schemas extends Readonly<Record<Name, z.ZodMiniType>>> = {
  readonly [Key in Name]: Readonly<Record<string, z.input<Schemas[Key]>>>;
};

/** Each with what it shows as its name. */
export const requestExamples: Examples<RequestName, typeof requestSchemas> = {
  OnboardingRequest: {
    videoCall: {
      externalId: 'your-id-of-the-person',
      person: {
        gender: 'FEMALE',
        firstName: 'Erika',
        lastName: 'Mustermann',
        birthDay: '1990-02-03',
        birthPlace: 'Berlin',
        birthCountry: 'DE',
        isUsNationality: false,
      },
      identification: { mode: 'video', redirectUrl: 'https://your-app.example/identified' },
    },
  },
  PersonUpdate: {
    address: {
      naturalPersonUpdateData: {
        mainAddress: { street: 'Musterstraße', streetNumber: '1', zip: '10115', city: 'Berlin', country: 'DE' },
      },
    },
    lastName: { naturalPersonUpdateData: { lastName: 'Musterfrau' }, documentId: naturalPersonId },
  },
};

const onboarding: z.output<typeof answerSchemas.Onboarding> = {
  onboardingId,
  sequence: 6,
  step: 'AWAITING_VIDEO_CALL',
  since: '2026-01-02T08:15:03.120Z',
  mode: 'video',
  naturalPersonId,
  identificationVerificationId: '0190a6f0-9abc-7abc-8def-0123456789ab',
  acceptedOn: '2026-01-02T08:14:58.002Z',
  identificationUrl: 'https://platform.example/identify/7f3c',
  reasons: [],
};

export const answerExamples: Examples<AnswerName, typeof answerSchemas> = {
  Entity: {
    order: {
      kind: 'order',
      id: orderId,
      sequence: 3,
      status: 'SETTLED',
      transactionStatus: 'COMPLETED',
      modifiedOn: '2026-01-02T08:15:03.120456789Z',
      anomalies: [],
      remedies: [],
      toReadBack: false,
    },
  },
  EntityList: {
    page: {
      items: [{ kind: 'order', id: orderId, status: 'PENDING', changedOn: '2026-01-02T08:15:04.001Z' }],
      nextCursor: 'eyJ2IjoxfQ',
    },
  },
  Timeline: {
    order: {
      kind: 'order',
      id: orderId,
      events: [
        {
          eventId,
          receivedOn: '2026-01-02T08:15:04.001Z',
          status: 'FILLED',
          modifiedOn: '2026-01-02T08:15:03.120456789Z',
          notificationType: 'EXECUTION',
          effect: 'applied',
          change: {
            sequence: 2,
            statusBefore: 'PENDING',
            status: 'FILLED',
            modifiedOn: '2026-01-02T08:15:03.120456789Z',
            anomalies: [],
          },
        },
      ],
    },
  },
  Event: {
    stored: {
      eventId,
      eventType: 'TRADITIONAL_ASSET_ORDER_NOTIFICATION',
      receivedOn: '2026-01-02T08:15:04.001Z',
      deliveries: 1,
      entity: { kind: 'order', id: orderId },
      body: `{"orderId":"${orderId}","status":"FILLED","modifiedOn":"2026-01-02T08:15:03.120456789Z"}`,
    },
    quarantined: {
      eventId,
      eventType: 'TRANSFER_NOTIFICATION',
      receivedOn: '2026-01-02T08:15:04.001Z',
      deliveries: 2,
      quarantineReason: 'NOT_JSON',
      bodyBase64: '/w==',
    },
    erased: {
      eventId,
      eventType: 'NATURAL_PERSON_NOTIFICATION',
      receivedOn: '2026-01-02T08:15:04.001Z',
      deliveries: 1,
      erasedOn: '2026-02-03T10:00:00.000Z',
    },
    large: {
      eventId,
      eventType: 'TRANSFER_NOTIFICATION',
      receivedOn: '2026-01-02T08:15:04.001Z',
      deliveries: 1,
      bodyBytes: 7_000_000,
    },
  },
  EventBody: { lastPart: { eventId, bodyBytes: 6_000_002, from: 6_000_000, bodyBase64: 'In0=' } },
  EventList: {
    page: {
      items: [
        {
          eventId,
          eventType: 'TRANSFER_NOTIFICATION',
          receivedOn: '2026-01-02T08:15:04.001Z',
          quarantineReason: 'NOT_JSON',
        },
      ],
      nextCursor: 'eyJ2IjoxfQ',
    },
  },
  Quarantine: {
    counts: {
      count: 3,
      counts: [{ quarantineReason: 'NOT_JSON', eventType: 'TRANSFER_NOTIFICATION', count: 3 }],
      newest: '2026-01-02T08:15:04.001Z',
      oldest: '2026-01-01T21:00:00.000Z',
    },
  },
  Onboarding: {
    waiting: onboarding,
    failing: {
      onboardingId,
      sequence: 2,
      step: 'CREATING_PERSON',
      since: '2026-01-02T08:14:59.000Z',
      mode: 'video',
      acceptedOn: '2026-01-02T08:14:58.002Z',
      reasons: [],
      failing: {
        code: 'HTTP_503',
        since: '2026-01-02T08:15:01.000Z',
        attempts: 3,
        nextAttemptOn: '2026-01-02T08:15:36.000Z',
        remedy: 'The onboarding tries again by itself at nextAttemptOn.',
      },
    },
    'unknown status': {
      ...onboarding,
      unknownStatus: {
        kind: 'identification-verification',
        status: 'IN_CALL',
        remedy: 'Add the status to platformProfile.verificationWords in the settings file, and deploy.',
      },
    },
    stopped: {
      onboardingId,
      sequence: 4,
      step: 'STOPPED',
      since: '2026-01-02T08:15:03.120Z',
      mode: 'none',
      acceptedOn: '2026-01-02T08:14:58.002Z',
      reasons: [{ code: 'FORBIDDEN', remedy: 'The platform does not allow the call: ask its support, then retry.' }],
    },
  },
  OnboardingProgress: { waiting: concealLink(onboarding) },
  OnboardingList: {
    page: { items: [{ ...concealLink(onboarding), updatedOn: '2026-01-02T08:15:03.200Z' }], nextCursor: 'eyJ2IjoxfQ' },
  },
  Erasure: {
    continued: {
      message: 'The erasure is not complete: send the same request again.',
      naturalPersonId: '0190a6f0-5678-7abc-8def-0123456789ab',
    },
  },
  Person: {
    stored: {
      onboardingId,
      onboarding: 'COMPLETED',
      naturalPersonIds: ['0190a6f0-5678-7abc-8def-0123456789ab'],
      identificationVerificationIds: ['0190a6f0-9abc-7abc-8def-0123456789ab'],
      events: [{ eventId, eventType: 'NATURAL_PERSON_NOTIFICATION' }],
      kept: [],
      others: { onboardingIds: [], naturalPersonIds: [] },
      isIndexed: true,
      isComplete: true,
    },
    withRequest: {
      onboardingId,
      onboarding: 'REQUESTED',
      naturalPersonIds: [],
      identificationVerificationIds: [],
      events: [],
      kept: [],
      others: { onboardingIds: [], naturalPersonIds: [] },
      requests: [{ onboardingId, person: { externalId: 'customer-1042', firstName: 'Erika' } }],
      isIndexed: true,
      isComplete: true,
    },
  },
};

/** The members that an example of a problem has beside those of its type. */
export const problemExamples: Readonly<Record<ProblemSlug, Readonly<{ detail: string } & Record<string, unknown>>>> = {
  unavailable: { detail: 'The request could not be processed.' },
  'secret-refused': { detail: 'The header x-drawbridge-secret does not have the registered secret.' },
  'source-not-allowed': { detail: 'This address may not deliver webhooks.' },
  'webhook-too-large': { detail: 'The deflated body may have 393216 bytes, the event type 128.' },
  'unknown-kind': {
    detail:
      'No kind of entity has this name. The kinds are natural-person, identification-verification, order, transfer.',
  },
  'invalid-id': { detail: 'An id of an event is 64 hexadecimal digits in lower case.' },
  'entity-not-found': { detail: 'No webhook has reported the entity, or the entity is erased.' },
  'event-not-found': { detail: 'No such event was received, or its retention is over.' },
  'list-not-kept': { detail: 'The list of all events is not kept.' },
  'invalid-request': { detail: 'The request has invalid fields.', errors },
  'invalid-query': {
    detail: 'The query parameters cannot be read.',
    errors: [{ parameter: 'onboardingId', detail: 'must be up to 100 ids of onboardings, with commas in between' }],
  },
  'onboarding-not-found': { detail: 'There is no onboarding with this externalId.' },
  'onboarding-conflict': {
    detail: 'An onboarding with this externalId exists, with different data.',
    errors: [{ pointer: '#/person/firstName', detail: 'differs from the earlier request' }],
    step: 'AWAITING_VIDEO_CALL',
  },
  'onboarding-ended': { detail: 'The onboarding with this externalId has ended.', step: 'REJECTED' },
  'operation-impossible': {
    detail: 'An onboarding that is COMPLETED cannot be canceled.',
    ...onboarding,
    step: 'COMPLETED',
    identificationUrl: undefined,
  },
  'person-erased': { detail: 'The person with this externalId was erased.' },
  'erasure-under-way': { detail: 'The person with this externalId is being erased.' },
  'person-not-on-platform': { detail: 'The platform does not have the person yet.' },
  'requestor-refused': { detail: 'The requestor may not update the person.', reason: 'REQUESTOR_NOT_ACTIVE' },
  'platform-refused': { detail: 'The platform refuses the update.', reason: 'NOT_IMPLEMENTED' },
  'person-unknown': { detail: 'Nothing is known of this externalId, and the request names no person.' },
  'ids-of-others': {
    detail: 'An onboarding or a stored event gives the ids of the request to others as well.',
    onboardingIds: [onboardingId],
    naturalPersonIds: [],
  },
  'onboarding-open': { detail: 'The onboarding is AWAITING_CHECKS.' },
  'person-not-named': {
    detail: 'The onboarding ended before Drawbridge knew the person, whom the platform may have.',
  },
};
