import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ConsoleError, ReadState } from '#console/data/read.ts';
import { useTypedCommands } from '#console/data/session.ts';

/** Stands where an answer will be. @param lines about as many as the answer has */
export function Loading({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}

/** Says that there is nothing, and what would change that. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/** An error with what to do next: errors of commands end with `Next: …`. */
export function ErrorPanel({
  error,
  retry,
}: {
  readonly error: ConsoleError;
  readonly retry?: (() => void) | undefined;
}) {
  const [what, next] = useTypedCommands()(error.message).split('\nNext: ');
  return (
    <div class="error" role="alert">
      <p class="error-title">{what}</p>
      {next !== undefined && <p>Next: {next}</p>}
      {retry !== undefined && (
        <button type="button" class="button" onClick={retry}>
          Read again
        </button>
      )}
    </div>
  );
}

/** In milliseconds. */
const absenceInterval = 5_000;

/** No failure: the id is mistyped, or its webhook is on the way. Then it appears. */
function NotThere({ error, reload }: { readonly error: ConsoleError; readonly reload: () => void }) {
  useEffect(() => {
    const timer = setInterval(reload, absenceInterval);
    return () => clearInterval(timer);
  }, [reload]);
  const [what = ''] = error.message.split('\nNext: ');
  return (
    <Empty title={what.replace(/^The API answered \d+: /, '')}>
      It appears here when its first webhook has arrived. To find another id, press / and search for it.
    </Empty>
  );
}

/** Shows an answer once it is there, and what happens until then. */
export function Shown<Answer>({
  state: { answer, error, isLoading, reload },
  lines,
  children,
}: {
  readonly state: ReadState<Answer>;
  readonly lines?: number;
  readonly children: (answer: Answer) => ComponentChildren;
}) {
  if (error?.status === 404 && answer === undefined) return <NotThere error={error} reload={reload} />;
  if (error !== undefined && answer === undefined) return <ErrorPanel error={error} retry={reload} />;
  if (answer === undefined) return isLoading ? <Loading {...(lines !== undefined && { lines })} /> : null;
  return (
    <>
      {error !== undefined && <ErrorPanel error={error} retry={reload} />}
      {children(answer)}
    </>
  );
}
