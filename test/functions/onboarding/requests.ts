import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { sampleIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

const { externalId: sampleId, ...person } = samplePerson;

/** The day on which the samples may be sent. */
export const today = new Date('2026-01-02T03:04:05.678Z');

const parents = {
  documentMotherFullName: 'Maria Mustermann',
  documentMotherResidenceCity: 'Berlin',
  documentFatherFullName: 'Max Mustermann',
  documentFatherResidenceCity: 'Köln',
};

export const byVideo = { mode: 'video', redirectUrl: 'https://partner.example/done' } as const;
export const supplied = { ...sampleIdentification, mode: 'supplied' } as const;
export const bornRecently = { ...supplied, ...parents, identificationDocumentType: 'BIRTH_CERTIFICATE' } as const;
export const notAtAll = { mode: 'none' } as const;

/** A request that is right. */
export function sampleRequest(more: Partial<OnboardingRequest> = {}): OnboardingRequest {
  return { externalId: sampleId ?? '', person, identification: notAtAll, ...more };
}
