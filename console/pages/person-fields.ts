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

/** A line such as `  #/person/birthDay: must be a date`, or `externalId: …`. */
const fieldLine = /^\s*(?:#\/)?([\w/]+): (.+)$/;

/** What a refusal says of each field, by its path: `person/birthDay`. */
export function fieldErrorsOf(message: string): ReadonlyMap<string, string> {
  const [refusal = ''] = message.split('\nNext: ');
  return new Map(
    refusal.split('\n').flatMap((line): [string, string][] => {
      const [, field, error] = fieldLine.exec(line) ?? [];
      return field === undefined || error === undefined ? [] : [[field, error]];
    }),
  );
}
