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
