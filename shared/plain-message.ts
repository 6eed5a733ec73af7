import type * as z from 'zod';

type Issue = z.core.$ZodIssue;

/** The messages of the validator begin with one of these words, and those of the schemas with none. */
const fromValidator = /^(Invalid|Too|Unrecognized|Expected)\b/;

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  guid: 'a UUID',
  date: 'a date such as 2026-11-21',
  datetime: 'a date-time in UTC such as 2026-11-21T08:00:00Z',
  url: 'a URL',
};

/** What a field must be, for a developer who does not know the validator. */
export function plainMessage(issue: Issue, isMissing: boolean): string {
  if (!fromValidator.test(issue.message)) return issue.message;
  return isMissing ? 'must be given' : `must ${requirementOf(issue)}`;
}

/**
 * A line for each value that a schema refuses, such as `persons.0.name: must be given`. For people: it names no part of a validator.
 *
 * @param input what was checked
 */
export function plainIssues(issues: readonly Issue[], input: unknown): readonly string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => `${[...issue.path, key].join('.')}: is not a field here`);
    const isMissing = issue.path.length > 0 && valueAt(input, issue.path) === undefined;
    return [`${issue.path.join('.') || 'all of it'}: ${plainMessage(issue, isMissing)}`];
  });
}

/** The value that an issue is about. Undefined if there is none. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    input,
  );
}

function requirementOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `be ${types[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `be ${oneOf(issue.values)}`;
    case 'invalid_format':
      if ('prefix' in issue) return `begin with ${issue.prefix}`;
      return formats[issue.format] === undefined
        ? `match ${issue.pattern ?? issue.format}`
        : `be ${formats[issue.format]}`;
    case 'too_small':
      return atLeast(issue);
    case 'too_big':
      return atMost(issue);
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined ? `be ${oneOf(issue.options)}` : ofUnion(issue.errors);
    case 'not_multiple_of':
      return `be a multiple of ${issue.divisor}`;
    default:
      return 'be as its reference describes';
  }
}

function atLeast({ origin, minimum, inclusive = true }: z.core.$ZodIssueTooSmall): string {
  if (isCounted(origin))
    return minimum === 1 && inclusive ? 'not be empty' : `have at least ${minimum} ${unitOf(origin)}`;
  return inclusive ? `be at least ${minimum}` : `be above ${minimum}`;
}

function atMost({ origin, maximum, inclusive = true }: z.core.$ZodIssueTooBig): string {
  if (isCounted(origin)) return `have at most ${maximum} ${unitOf(origin)}`;
  return inclusive ? `be at most ${maximum}` : `be below ${maximum}`;
}

function isCounted(origin: string): boolean {
  return origin === 'string' || origin === 'array';
}

function unitOf(origin: string): string {
  return origin === 'string' ? 'characters' : 'items';
}

/** The requirements of every alternative. Values are listed together. */
function ofUnion(alternatives: readonly (readonly Issue[])[]): string {
  const first = alternatives.flatMap(([issue]) => issue ?? []);
  const values = first.flatMap((issue) => (issue.code === 'invalid_value' ? issue.values : []));
  if (values.length === first.length) return `be ${oneOf(values)}`;
  return [...new Set(first.map(requirementOf))].join(' or ');
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map(String);
  return words.length === 1 ? words.join('') : `one of ${words.join(', ')}`;
}
