import { type FieldProblem, refusedFields } from '#sandbox/platform/core/refused-error.ts';
import type { Settings } from '#sandbox/platform/core/settings.ts';
import type { AdditionalFieldsSettings, Fields } from './additional-fields.ts';

export type SentFieldsSettings = AdditionalFieldsSettings & Pick<Settings, 'sentFields'>;

/** The fields that hold a word of an enum. */
const words: ReadonlySet<string> = new Set([
  'title',
  'gender',
  'maritalStatus',
  'nationalIdentifierType',
  'professionGroup',
  'sourceOfIncome',
  'originOfAssets',
  'identificationDocumentType',
]);

/**
 * Checks the texts of a person or of an identification, but not those of additional fields, which have rules of their own.
 *
 * @param place where the data stands in the body, such as `naturalPersonUpdateData`
 * @throws {RefusedError} Bad Request with each text that the setting does not allow
 */
export function checkSentFields(data: Fields, settings: SentFieldsSettings, place = ''): void {
  const { sentFields, additionalPersonFields, additionalAddressFields } = settings;
  const skipped = new Set([...additionalPersonFields, ...Object.keys(additionalAddressFields)]);

  function problemsOf(value: unknown, name: string, field: string): readonly FieldProblem[] {
    if (typeof value === 'string') {
      const message = requirementOf(value, name, sentFields);
      return message === undefined ? [] : [{ field, code: 'INVALID', message }];
    }
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, part]) => {
      if (skipped.has(key)) return [];
      return problemsOf(part, Array.isArray(value) ? name : key, field === '' ? key : `${field}.${key}`);
    });
  }

  const problems = problemsOf(data, '', place);
  if (problems.length > 0) throw refusedFields(problems);
}

/** What the text must be; undefined if it is that. */
function requirementOf(text: string, name: string, limits: Settings['sentFields']): string | undefined {
  if (words.has(name) && limits.hasCapitalEnums === true && !/^[A-Z][A-Z0-9_]*$/.test(text))
    return 'must be a word in capitals';
  const { minLength = 0, maxLength = limits.maxTextLength ?? Number.POSITIVE_INFINITY } =
    (name === 'zip' || name === 'phone' ? limits[name] : undefined) ?? {};
  if (text.length < minLength) return `must have at least ${minLength} characters`;
  return text.length > maxLength ? `must have at most ${maxLength} characters` : undefined;
}
