/** The changes of section 3.1, written out again: what the platform does is held against this. */
export const legalPersonChanges: Readonly<Record<string, readonly string[]>> = {
  RECEIVED: ['CREATED', 'INVALID', 'REVIEW', 'REJECTED'],
  INVALID: [],
  REVIEW: ['CREATED', 'REJECTED'],
  CREATED: ['PENDING'],
  PENDING: ['ACTIVE'],
  ACTIVE: ['SUSPENDED', 'BLOCKED', 'DECEASED'],
  SUSPENDED: ['ACTIVE', 'BLOCKED', 'DECEASED'],
  BLOCKED: ['ACTIVE', 'DECEASED'],
  REJECTED: [],
  DECEASED: [],
};

export const personStatuses = Object.keys(legalPersonChanges);

export function isLegalPersonChange(from: string, to: string): boolean {
  return legalPersonChanges[from]?.includes(to) === true;
}

/** Section 3.2. A word that is not named there is a failure, and final. */
export function isLegalVerificationChange(from: string, to: string): boolean {
  if (from === 'RECEIVED') return to === 'PENDING';
  return from === 'PENDING' && to !== 'RECEIVED' && to !== 'PENDING';
}
