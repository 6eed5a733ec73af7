/** A field of a person that the platform requires. */
export type PersonField = {
  /** Its name in the API. */
  readonly name: string;
  readonly label: string;
  readonly example?: string;
  /** Whether the field is true or false. */
  readonly isFlag?: boolean;
};

/** What the API requires of every person. */
export const personFields: readonly PersonField[] = [
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'gender', label: 'Gender', example: 'FEMALE' },
  { name: 'birthDay', label: 'Birth day', example: '1990-01-31' },
  { name: 'birthPlace', label: 'Birth place' },
  { name: 'birthCountry', label: 'Birth country', example: 'DE' },
  { name: 'isUsNationality', label: 'US nationality', isFlag: true },
];
