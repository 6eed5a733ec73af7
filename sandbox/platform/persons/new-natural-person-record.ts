import type { NaturalPerson, NewNaturalPerson } from './natural-person-schema.ts';

type SystemFields = { readonly naturalPersonId: string; readonly createdOn: string; readonly number: number };

export function received(data: NewNaturalPerson, { naturalPersonId, createdOn, number }: SystemFields): NaturalPerson {
  return {
    ...data,
    naturalPersonId,
    globalId: `GP-${String(number).padStart(9, '0')}`,
    createdOn,
    modifiedOn: createdOn,
    isPep: false,
    isPepRelated: false,
    isSanction: false,
    riskLevel: 'LOW',
    naturalPersonStatus: 'RECEIVED',
    naturalPersonIdentifications: [],
    naturalPersonSignedDocuments: [],
  };
}
