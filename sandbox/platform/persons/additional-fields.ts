import { type FieldProblem, RefusedError, unknownFieldMessage } from '#sandbox/platform/core/refused-error.ts';
import type { Settings } from '#sandbox/platform/core/settings.ts';

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

const maxLength = 35;
const maxProblems = 100;

/**
 * Checks the fields of a person and of its addresses that the specification does not name.
 *
 * @throws {RefusedError} Bad Request with each field that the settings do not allow, that is malformed or that is missing
 */
export function checkAdditionalFields(data: Fields, { known, settings, place = '' }: FieldCheck): void {
  const prefix = place === '' ? '' : `${place}.`;
  const fields = [
    ...unknownFields(data, known.person, new Set(settings.additionalPersonFields), prefix),
    ...['mainAddress', 'correspondenceAddress'].flatMap((name) =>
      addressProblems(data[name], known.address, settings.additionalAddressFields, `${prefix}${name}.`),
    ),
  ].slice(0, maxProblems);
  const message = fields.map((problem) => `${problem.field}: ${problem.message}`).join('; ');
  if (fields.length > 0) throw new RefusedError(400, message, { fields });
}

function addressProblems(
  address: unknown,
  known: Fields,
  allowed: Readonly<Record<string, readonly string[]>>,
  prefix: string,
): readonly FieldProblem[] {
  if (typeof address !== 'object' || address === null) return [];
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(address));
  const country = values.get('country');
  const ofAllowed = Object.entries(allowed).flatMap(([name, countries]) => {
    const value = values.get(name);
    const field = `${prefix}${name}`;
    if (value === undefined)
      return countries.some((one) => one === country)
        ? [{ field, code: 'MISSING', message: `must be given where the country is ${country}` }]
        : [];
    const isText = typeof value === 'string' && value.length > 0 && value.length <= maxLength;
    return isText ? [] : [{ field, code: 'INVALID', message: `must be text of 1 to ${maxLength} characters` }];
  });
  return [...unknownFields(Object.fromEntries(values), known, new Set(Object.keys(allowed)), prefix), ...ofAllowed];
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
