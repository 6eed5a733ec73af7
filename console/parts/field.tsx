import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** What an input gets, so that a screen reader reads its label, its hint and its error. */
export type Described = {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
};

export type FieldProps = {
  readonly label: string;
  /** What the field takes. */
  readonly hint?: ComponentChildren;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  readonly input: (described: Described) => ComponentChildren;
};

/** A field of a form with its hint and its error beside it. */
export function Field({ label, hint, error, input }: FieldProps) {
  const id = useId();
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = [hint === undefined ? '' : hintId, error === undefined ? '' : errorId].join(' ').trim();
  return (
    <div class={error === undefined ? 'field' : 'field wrong'}>
      <label for={id}>{label}</label>
      {input({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {error !== undefined && (
        <p class="field-error" id={errorId}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="none" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}
