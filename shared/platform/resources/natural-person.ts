import * as z from 'zod/mini';
import {
  exampleEnum,
  lenient,
  maybe,
  receivedFlag,
  receivedId,
  receivedList,
  receivedNumber,
  receivedStatus,
  receivedText,
  tolerantObject,
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

const receivedAddress = tolerantObject({
  street: lenient(receivedText),
  streetNumber: lenient(receivedText),
  city: lenient(receivedText),
  zip: lenient(receivedText),
  additionalInfo: lenient(receivedText),
  country: lenient(receivedText),
});

const receivedContact = tolerantObject({
  phone: lenient(receivedText),
  email: lenient(receivedText),
  fax: lenient(receivedText),
  website: lenient(receivedText),
});

/** NaturalPersonIdentification (section 2.4), as it is returned. */
const receivedIdentification = (times: PlatformTimes) =>
  tolerantObject({
    identificationId: lenient(receivedId),
    createdOn: receivedTime(times),
    modifiedOn: receivedTime(times),
    externalVerifier: lenient(receivedText),
    identificationType: lenient(exampleEnum(['VIDEO_IDENT'])),
    identificationDate: lenient(receivedText),
    identificationDocumentType: lenient(exampleEnum(['ID', 'BIRTH_CERTIFICATE'])),
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
  tolerantObject({
    partnerDocumentId: lenient(receivedText),
    name: lenient(receivedText),
    documentType: lenient(exampleEnum(['TERMS_AND_CONDITIONS'])),
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
    tolerantObject({
      naturalPersonId: receivedId,
      globalId: lenient(receivedText),
      createdOn: receivedTime(times),
      modifiedOn: receivedTime(times),
      verifiedOn: receivedTime(times),
      deathDay: lenient(receivedText),
      isPep: lenient(receivedFlag),
      isPepRelated: lenient(receivedFlag),
      isSanction: lenient(receivedFlag),
      riskLevel: lenient(exampleEnum(['LOW'])),
      naturalPersonStatus: lenient(receivedStatus(naturalPersonStatusWords)),
      naturalPersonIdentifications: lenient(receivedList(receivedIdentification(times))),
      naturalPersonSignedDocuments: lenient(receivedList(signedDocument(times))),
      gender: lenient(exampleEnum(['MALE'])),
      title: lenient(exampleEnum(['PROFESSOR'])),
      firstName: lenient(receivedText),
      lastName: lenient(receivedText),
      maritalStatus: lenient(exampleEnum(['MARRIED'])),
      birthDay: lenient(receivedText),
      birthPlace: lenient(receivedText),
      birthCountry: lenient(receivedText),
      language: lenient(receivedText),
      isUsNationality: lenient(receivedFlag),
      profession: lenient(receivedText),
      professionGroup: lenient(exampleEnum(['EMPLOYED'])),
      annualIncomeNet: lenient(receivedNumber),
      sourceOfIncome: lenient(receivedList(exampleEnum(['INCOME_FROM_EMPLOYMENT']))),
      availableAssets: lenient(receivedNumber),
      originOfAssets: lenient(receivedList(exampleEnum(['NON_EMPLOYED_LABOR']))),
      mainAddress: lenient(receivedAddress),
      correspondenceAddress: lenient(receivedAddress),
      contact: lenient(receivedContact),
      nationalities: lenient(
        receivedList(
          tolerantObject({
            countryCode: lenient(receivedText),
            nationalIdentifier: lenient(receivedText),
            nationalIdentifierType: lenient(exampleEnum(['CONCAT'])),
          }),
        ),
      ),
      taxDetails: lenient(
        receivedList(
          tolerantObject({
            taxId: lenient(receivedText),
            taxResidency: lenient(receivedText),
            noTinConfirmation: lenient(receivedFlag),
          }),
        ),
      ),
      naceSectors: lenient(
        receivedList(tolerantObject({ section: lenient(receivedText), description: lenient(receivedText) })),
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
