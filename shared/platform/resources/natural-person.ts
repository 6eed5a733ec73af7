import * as z from 'zod/mini';
import {
  lenient,
  maybe,
  openEnum,
  receivedFlag,
  receivedId,
  receivedList,
  receivedNumber,
  receivedStatus,
  receivedText,
  withId,
  withUnreadable,
} from '#shared/platform/fields/received.ts';
import { oncePerTimes, type PlatformTimes, receivedTime } from '#shared/platform/fields/timestamp.ts';

/** Section 3.1, and the further statuses that were seen. */
export const naturalPersonStatusWords = [
  'RECEIVED',
  'CREATED',
  'PENDING',
  'ACTIVE',
  'SUSPENDED',
  'BLOCKED',
  'REVIEW',
  'REJECTED',
  'INVALID',
  'DECEASED',
] as const;

export type NaturalPersonStatus = (typeof naturalPersonStatusWords)[number];

const receivedAddress = z.looseObject({
  street: lenient(receivedText),
  streetNumber: lenient(receivedText),
  city: lenient(receivedText),
  zip: lenient(receivedText),
  additionalInfo: lenient(receivedText),
  country: lenient(receivedText),
});

const receivedContact = z.looseObject({
  phone: lenient(receivedText),
  email: lenient(receivedText),
  fax: lenient(receivedText),
  website: lenient(receivedText),
});

/** NaturalPersonIdentification (section 2.4), as it is returned. */
const receivedIdentification = (times: PlatformTimes) =>
  z.looseObject({
    identificationId: lenient(receivedId),
    createdOn: receivedTime(times),
    modifiedOn: receivedTime(times),
    externalVerifier: lenient(receivedText),
    identificationType: lenient(openEnum(['VIDEO_IDENT'])),
    identificationDate: lenient(receivedText),
    identificationDocumentType: lenient(openEnum(['ID', 'BIRTH_CERTIFICATE'])),
    documentNumber: lenient(receivedText),
    documentCountry: lenient(receivedText),
    documentIssuer: lenient(receivedText),
    documentIssueDate: lenient(receivedText),
    documentExpiryDate: lenient(receivedText),
    documentMotherFullName: lenient(receivedText),
    documentMotherResidenceCity: lenient(receivedText),
    documentFatherFullName: lenient(receivedText),
    documentFatherResidenceCity: lenient(receivedText),
  });

/** SignedDocument (section 2.4). */
const signedDocument = (times: PlatformTimes) =>
  z.looseObject({
    partnerDocumentId: lenient(receivedText),
    name: lenient(receivedText),
    documentType: lenient(openEnum(['TERMS_AND_CONDITIONS'])),
    version: lenient(receivedNumber),
    customerId: lenient(receivedText),
    createdOn: receivedTime(times),
    modifiedOn: receivedTime(times),
  });

/** The fields that identify a person, and seldom change. */
export const identityFields = ['firstName', 'lastName', 'birthDay'] as const;

/** A natural person as the get operations return it (section 2.4). What is not listed is kept. */
export const naturalPerson = oncePerTimes((times) =>
  withId(
    'naturalPersonId',
    z.looseObject({
      naturalPersonId: receivedId,
      globalId: lenient(receivedText),
      createdOn: receivedTime(times),
      modifiedOn: receivedTime(times),
      verifiedOn: receivedTime(times),
      deathDay: lenient(receivedText),
      isPep: lenient(receivedFlag),
      isPepRelated: lenient(receivedFlag),
      isSanction: lenient(receivedFlag),
      riskLevel: lenient(openEnum(['LOW'])),
      naturalPersonStatus: lenient(receivedStatus(naturalPersonStatusWords)),
      naturalPersonIdentifications: lenient(receivedList(receivedIdentification(times))),
      naturalPersonSignedDocuments: lenient(receivedList(signedDocument(times))),
      gender: lenient(openEnum(['MALE'])),
      title: lenient(openEnum(['PROFESSOR'])),
      firstName: lenient(receivedText),
      lastName: lenient(receivedText),
      maritalStatus: lenient(openEnum(['MARRIED'])),
      birthDay: lenient(receivedText),
      birthPlace: lenient(receivedText),
      birthCountry: lenient(receivedText),
      language: lenient(receivedText),
      isUsNationality: lenient(receivedFlag),
      profession: lenient(receivedText),
      professionGroup: lenient(openEnum(['EMPLOYED'])),
      annualIncomeNet: lenient(receivedNumber),
      sourceOfIncome: lenient(receivedList(openEnum(['INCOME_FROM_EMPLOYMENT']))),
      availableAssets: lenient(receivedNumber),
      originOfAssets: lenient(receivedList(openEnum(['NON_EMPLOYED_LABOR']))),
      mainAddress: lenient(receivedAddress),
      correspondenceAddress: lenient(receivedAddress),
      contact: lenient(receivedContact),
      nationalities: lenient(
        receivedList(
          z.looseObject({
            countryCode: lenient(receivedText),
            nationalIdentifier: lenient(receivedText),
            nationalIdentifierType: lenient(openEnum(['CONCAT'])),
          }),
        ),
      ),
      taxDetails: lenient(
        receivedList(
          z.looseObject({
            taxId: lenient(receivedText),
            taxResidency: lenient(receivedText),
            noTinConfirmation: lenient(receivedFlag),
          }),
        ),
      ),
      naceSectors: lenient(
        receivedList(z.looseObject({ section: lenient(receivedText), description: lenient(receivedText) })),
      ),
      externalId: lenient(receivedText),
    }),
  ),
);

export type NaturalPerson = z.infer<ReturnType<typeof naturalPerson>>;

/** A natural person by its id: with what decides about an onboarding, and cannot be read. */
export const naturalPersonInFull = oncePerTimes((times) =>
  withUnreadable(
    {
      naturalPersonStatus: maybe(receivedStatus(naturalPersonStatusWords)),
      naturalPersonIdentifications: maybe(z.array(z.object({ documentNumber: maybe(receivedText) }))),
    },
    naturalPerson(times),
  ),
);
