/** A field of a person that the platform requires. */
export type PersonField = {
  /** Its name in the API. */
  readonly name: string;
  readonly label: string;
  /** What the field takes; any text unless given. */
  readonly takes?: 'date' | 'country' | 'flag' | 'gender';
};

/** What the API requires of every person. */
export const personFields: readonly PersonField[] = [
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'gender', label: 'Gender', takes: 'gender' },
  { name: 'birthDay', label: 'Birth day', takes: 'date' },
  { name: 'birthPlace', label: 'Birth place' },
  { name: 'birthCountry', label: 'Birth country', takes: 'country' },
  { name: 'isUsNationality', label: 'US nationality', takes: 'flag' },
];
