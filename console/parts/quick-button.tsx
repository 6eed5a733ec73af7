import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { ActionInput, ActionName } from '#cli/console/actions/actions.ts';
import { preview, run } from '#console/data/act.ts';
import { liveLines } from '#console/data/live.ts';
import { session } from '#console/data/session.ts';
import { createSharedValue, useSharedValue } from '#console/data/shared-value.ts';
import { Badge } from './words.tsx';

/** The result of the latest quick action of the page. */
export type Outcome = {
  readonly message: string;
  readonly path?: string | undefined;
  /** The id in bus events about what the action made. */
  readonly about?: string | undefined;
  readonly isFailure: boolean;
};

export const latestOutcome = createSharedValue<Outcome | undefined>(undefined);

export type QuickButtonProps<Name extends ActionName> = {
  readonly name: Name;
  readonly input: ActionInput<Name>;
  readonly label: string;
  readonly tone?: 'plain' | 'danger' | 'primary';
  /** Whether what the button switches is on; undefined for a button that is not a switch. */
  readonly isOn?: boolean;
  readonly onDone?: () => void;
};

/** An action on the sandbox, which happens without a question. */
export function QuickButton<Name extends ActionName>({
  name,
  input,
  label,
  tone = 'plain',
  isOn,
  onDone,
}: QuickButtonProps<Name>) {
  const [isRunning, setRunning] = useState(false);
  const isOperator = useSharedValue(session)?.isOperator === true;
  const act = async () => {
    const { confirmation } = await preview(name, input);
    const { message, path, about, isFailure = false } = await run(confirmation, () => undefined);
    latestOutcome.set({ message, path, about, isFailure });
    onDone?.();
  };
  const start = () => {
    setRunning(true);
    act()
      .catch((error: Error) => latestOutcome.set({ message: error.message, isFailure: true }))
      .finally(() => setRunning(false));
  };
  return (
    <button
      type="button"
      class={`button ${tone}${isOn === undefined ? '' : ' toggle'}`}
      aria-pressed={isOn}
      disabled={!isOperator}
      // A disabled button would lose the focus.
      aria-disabled={isRunning}
      onClick={isRunning ? undefined : start}
    >
      {label}
    </button>
  );
}

/** Says what the latest quick action did, and what came of it so far. Its place is there before, so that no button moves. */
export function LatestOutcome() {
  const outcome = useSharedValue(latestOutcome);
  const lines = useSharedValue(liveLines);
  if (outcome === undefined)
    return (
      <p class="toast waiting" role="status">
        The result of each button appears here.
      </p>
    );
  const results = lines.filter(({ source, about }) => source === 'bus' && about === outcome.about).toReversed();
  return (
    <p class={outcome.isFailure ? 'toast bad' : 'toast'} role="status">
      {outcome.message}
      {results.map(({ number, status, type }) => (
        <Fragment key={number}>
          {' '}
          <Badge>{status ?? type}</Badge>
        </Fragment>
      ))}
      {outcome.path !== undefined && (
        <>
          {' '}
          <a href={outcome.path}>Open</a>
        </>
      )}
    </p>
  );
}
