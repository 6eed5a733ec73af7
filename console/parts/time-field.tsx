import { readTime } from '#console/data/written-time.ts';
import { Field } from './field.tsx';
import { clockNow } from './time.tsx';

/** Whether `readTime` understands the text. An empty one is understood. */
export function isTimeText(text: string): boolean {
  return readTime(text, clockNow()) !== undefined;
}

/** A field that takes a time as `readTime` reads it. */
export function TimeField({
  label,
  value,
  placeholder,
  onInput,
}: {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly onInput: (value: string) => void;
}) {
  return (
    <Field
      label={label}
      error={
        isTimeText(value) ? undefined : 'Write 2h for two hours ago, or a time: 14:30, 2026-01-31, 2026-01-31 14:30.'
      }
      input={(described) => (
        <input
          {...described}
          type="text"
          value={value}
          placeholder={placeholder}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
    />
  );
}
