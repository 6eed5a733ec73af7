import { type Described, Field } from '#console/parts/field.tsx';
import { countryCodes } from '#shared/platform/fields/fields.ts';
import { type PersonField, personFields } from './person-fields.ts';

export type PersonFormProps = {
  /** The person as JSON, which the fields are a part of. */
  readonly person: string;
  readonly onChange: (person: string) => void;
  /** What the API says of each field. */
  readonly errors: ReadonlyMap<string, string>;
};

/** The fields that every person needs. Each is written into the JSON, so that there is one truth. */
export function PersonForm({ person, onChange, errors }: PersonFormProps) {
  const known = objectOf(person);
  const set = (field: PersonField, text: string) => {
    const value = field.takes === 'flag' && text !== '' ? text === 'true' : text;
    const { [field.name]: _, ...others } = known ?? {};
    onChange(JSON.stringify(text === '' ? others : { ...others, [field.name]: value }, undefined, 2));
  };
  return (
    <fieldset class="person" disabled={known === undefined}>
      <legend>The person</legend>
      {known === undefined && <p class="none">The JSON below is not an object: correct it to write in these fields.</p>}
      {personFields.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          error={errors.get(`person/${field.name}`)}
          input={(described) => (
            <Input
              field={field}
              described={described}
              value={String(known?.[field.name] ?? '')}
              onInput={(text) => set(field, text)}
            />
          )}
        />
      ))}
    </fieldset>
  );
}

type InputProps = {
  readonly field: PersonField;
  readonly described: Described;
  readonly value: string;
  readonly onInput: (text: string) => void;
};

function Input({ field: { takes }, described, value, onInput }: InputProps) {
  const choices = takes === undefined ? undefined : choicesOf(takes);
  if (choices !== undefined)
    return (
      <select {...described} value={value} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
        <option value="">choose</option>
        {[
          ...choices,
          ...(value === '' || choices.some(([word]) => word === value) ? [] : [[value, value] as const]),
        ].map(([word, label]) => (
          <option key={word} value={word}>
            {label}
          </option>
        ))}
      </select>
    );
  const shared = {
    ...described,
    value,
    autocomplete: 'off',
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onInput(currentTarget.value),
  } as const;
  return takes === 'date' ? <input {...shared} type="date" /> : <input {...shared} type="text" spellcheck={false} />;
}

type Choices = readonly (readonly [word: string, label: string])[];

const flags: Choices = [
  ['false', 'no'],
  ['true', 'yes'],
];

/** The words that the platform has shown. Another one can be written in the JSON. */
const genders: Choices = [
  ['FEMALE', 'FEMALE'],
  ['MALE', 'MALE'],
];

const names = new Intl.DisplayNames('en', { type: 'region' });
const countries: Choices = [...countryCodes]
  .map((code) => [code, `${names.of(code) ?? code} (${code})`] as const)
  .toSorted(([, one], [, other]) => one.localeCompare(other, 'en'));

function choicesOf(takes: NonNullable<PersonField['takes']>): Choices | undefined {
  if (takes === 'flag') return flags;
  if (takes === 'gender') return genders;
  return takes === 'country' ? countries : undefined;
}

function objectOf(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
