import type { ComponentChildren } from 'preact';
import { session } from '#console/data/session.ts';
import { useSharedValue } from '#console/data/shared-value.ts';

/** Names and values. A value that is undefined is left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A part of a page with a heading. */
export function Section({
  title,
  note,
  actions,
  children,
}: {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="section">
      <header>
        <h2>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {note !== undefined && <p class="note">{note}</p>}
      {children}
    </section>
  );
}

/** The head of a page: what it is, and what can be done. */
export function PageHead({
  title,
  trail,
  note,
  actions,
  isActing = false,
}: {
  readonly title: ComponentChildren;
  /** Where the page belongs. */
  readonly trail?: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** Whether the page has buttons that write, which a console that only reads disables. */
  readonly isActing?: boolean;
}) {
  const isReadOnly = useSharedValue(session)?.isOperator === false;
  return (
    <header class="page-head">
      {trail !== undefined && <p class="trail">{trail}</p>}
      <div class="page-line">
        <h1>{title}</h1>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {note !== undefined && <p class="note">{note}</p>}
      {isActing && isReadOnly && (
        <p class="note read-only">This console only reads. To write, start it with --operator.</p>
      )}
    </header>
  );
}
