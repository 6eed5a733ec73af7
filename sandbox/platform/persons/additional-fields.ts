import { type FieldProblem, refusedFields, unknownFieldMessage } from '#sandbox/platform/core/refused-error.ts';
import type { Settings } from '#sandbox/platform/core/settings.ts';
import type { FieldRule } from '#shared/platform/profile/additional-fields.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A setting that says which fields the platform takes besides those of section 2.4. */
export type AdditionalFieldsSettings = Pick<Settings, 'additionalPersonFields' | 'additionalAddressFields'>;

export type FieldCheck = {
  /** The fields that the specification names, of a person and of an address. */
  readonly known: { readonly person: Fields; readonly address: Fields };
  readonly settings: AdditionalFieldsSettings;
  /** Where the data stands in the body, such as `naturalPersonUpdateData`. */
  readonly place?: string;
};

/**
 * Checks the fields of a person and of its addresses that the specification does not name.
 *
 * @throws {RefusedError} Bad Request with each field that the settings do not allow, that is malformed or that is missing
 */
export function checkAdditionalFields(data: Fields, { known, settings, place = '' }: FieldCheck): void {
  const prefix = place === '' ? '' : `${place}.`;
  const problems = [
    ...unknownFields(data, known.person, new Set(settings.additionalPersonFields), prefix),
    ...['mainAddress', 'correspondenceAddress'].flatMap((name) =>
      addressProblems(data[name], known.address, settings.additionalAddressFields, `${prefix}${name}.`),
    ),
  ];
  if (problems.length > 0) throw refusedFields(problems);
}

function addressProblems(
  address: unknown,
  known: Fields,
  allowed: Settings['additionalAddressFields'],
  prefix: string,
): readonly FieldProblem[] {
  if (typeof address !== 'object' || address === null) return [];
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(address));
  const country = values.get('country');
  const ofAllowed = Object.entries(allowed).flatMap(([name, setting]) => {
    const rule = ruleOf(setting);
    const value = values.get(name);
    const field = `${prefix}${name}`;
    if (value === undefined)
      return rule.requiredIn.some((one) => one === country)
        ? [{ field, code: 'MISSING', message: `must be given where the country is ${country}` }]
        : [];
    const message = requirementOf(rule, value);
    return message === undefined ? [] : [{ field, code: 'INVALID', message }];
  });
  return [...unknownFields(Object.fromEntries(values), known, new Set(Object.keys(allowed)), prefix), ...ofAllowed];
}

function ruleOf(setting: Settings['additionalAddressFields'][string]): FieldRule {
  return 'type' in setting ? setting : { type: 'text', minLength: 1, maxLength: 35, requiredIn: setting };
}

/** What the value must be; undefined if it is that. */
function requirementOf(rule: FieldRule, value: unknown): string | undefined {
  switch (rule.type) {
    case 'text': {
      const { minLength, maxLength } = rule;
      const isText = typeof value === 'string' && value.length >= minLength && value.length <= maxLength;
      return isText ? undefined : `must be text of ${minLength} to ${maxLength} characters`;
    }
    case 'number': {
      const { minimum = -Number.MAX_VALUE, maximum = Number.MAX_VALUE } = rule;
      const isWithin = typeof value === 'number' && value >= minimum && value <= maximum;
      return isWithin ? undefined : `must be a number from ${minimum} to ${maximum}`;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'word':
      return rule.words.some((word) => word === value) ? undefined : `must be one of ${rule.words.join(', ')}`;
  }
}

function unknownFields(
  data: Fields,
  known: Fields,
  allowed: ReadonlySet<string>,
  prefix: string,
): readonly FieldProblem[] {
  return Object.keys(data)
    .filter((name) => !Object.hasOwn(known, name) && !allowed.has(name))
    .map((name) => ({
      field: `${prefix}${name}`,
      code: 'UNKNOWN_FIELD',
      message: unknownFieldMessage,
    }));
}
