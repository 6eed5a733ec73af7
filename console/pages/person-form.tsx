import { type PersonField, personFields } from './person-fields.ts';

export type PersonFormProps = {
  /** The person as JSON, which the fields are a part of. */
  readonly person: string;
  readonly onChange: (person: string) => void;
};

/** The fields that every person needs. Each is written into the JSON, so that there is one truth. */
export function PersonForm({ person, onChange }: PersonFormProps) {
  const known = objectOf(person);
  const set = (field: PersonField, text: string) => {
    const value = field.isFlag === true && text !== '' ? text === 'true' : text;
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
          field={field}
          value={String(known?.[field.name] ?? '')}
          onInput={(text) => set(field, text)}
        />
      ))}
    </fieldset>
  );
}

function Field({
  field: { label, isFlag, example },
  value,
  onInput,
}: {
  readonly field: PersonField;
  readonly value: string;
  readonly onInput: (text: string) => void;
}) {
  if (isFlag === true)
    return (
      <label>
        {label}
        <select value={value} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
          <option value="">choose</option>
          <option value="false">no</option>
          <option value="true">yes</option>
        </select>
      </label>
    );
  return (
    <label>
      {label}
      <input
        type="text"
        value={value}
        placeholder={example ?? ''}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}

function objectOf(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
