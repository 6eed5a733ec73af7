import { useRef, useState } from 'preact/hooks';
import type { ActionInput, ActionName } from '#cli/console/actions/actions.ts';
import type { ActionResult } from '#cli/console/actions/define-action.ts';
import { type Previewed, type Progress, preview, run } from '#console/data/act.ts';
import { ConsoleError } from '#console/data/read.ts';
import { session } from '#console/data/session.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { ErrorPanel, Loading } from './states.tsx';
import { Time, withTimes } from './time.tsx';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

type Stage =
  | { readonly at: 'closed' }
  | { readonly at: 'preview' }
  | { readonly at: 'question'; readonly previewed: Previewed }
  | { readonly at: 'running'; readonly progress: Progress | undefined }
  | { readonly at: 'result'; readonly result: ActionResult }
  | { readonly at: 'error'; readonly error: ConsoleError };

export type ActionButtonProps<Name extends ActionName> = {
  readonly name: Name;
  /** A function if it depends on the time at which the button is pressed. */
  readonly input: ActionInput<Name> | (() => ActionInput<Name>);
  /** What the button says: a verb. */
  readonly label: string;
  readonly tone?: 'plain' | 'danger' | 'primary';
  /** Whether the action changes nothing. */
  readonly isRead?: boolean;
  /** Whether there is nothing to do. The button stays, or its dialog would close before the result is read. */
  readonly isDisabled?: boolean;
  /** Called with what was refused, so that a form shows it beside its fields; with undefined when the button is pressed. */
  readonly onRefusal?: (message: string | undefined) => void;
  /** Called when the result was read, so that the page reads again. */
  readonly onDone?: () => void;
};

/** A write: shows what it will do, asks, and shows the result. A console that only reads shows why it cannot. */
export function ActionButton<Name extends ActionName>({
  name,
  input,
  label,
  tone = 'plain',
  isRead = false,
  isDisabled = false,
  onRefusal,
  onDone,
}: ActionButtonProps<Name>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [stage, setStage] = useState<Stage>({ at: 'closed' });
  /** Counts the openings: the preview of a dialog that was closed meanwhile belongs to none. */
  const opening = useRef(0);
  const isOperator = useSharedValue(session)?.isOperator === true;
  const isAllowed = isOperator || isRead;

  const fail = (thrown: unknown) => {
    const error = thrown instanceof ConsoleError ? thrown : new ConsoleError({ message: String(thrown), status: 0 });
    onRefusal?.(error.message);
    setStage({ at: 'error', error });
  };

  /** Waits for another dialog to close: its user must not type into this one. */
  const show = () => {
    const open = document.querySelector('dialog[open]');
    if (open === null) dialog.current?.showModal();
    else if (open !== dialog.current) open.addEventListener('close', show, { once: true });
  };

  async function open(): Promise<void> {
    if (stage.at === 'running') return show();
    onRefusal?.(undefined);
    opening.current += 1;
    const mine = opening.current;
    const ifOpen = (then: () => void) => {
      if (mine === opening.current) then();
    };
    setStage({ at: 'preview' });
    show();
    await preview(name, typeof input === 'function' ? input() : input).then(
      (previewed) => ifOpen(() => setStage({ at: 'question', previewed })),
      (thrown) => ifOpen(() => fail(thrown)),
    );
  }

  async function confirm({ confirmation }: Previewed): Promise<void> {
    setStage({ at: 'running', progress: undefined });
    await run(confirmation, (progress) => setStage({ at: 'running', progress })).then(
      (result) => setStage({ at: 'result', result }),
      fail,
    );
    // Escape closes a dialog. What was done is shown nevertheless.
    show();
  }

  const close = () => dialog.current?.close();
  const leave = () => {
    if (stage.at === 'running') return;
    opening.current += 1;
    if (stage.at === 'result') onDone?.();
    setStage({ at: 'closed' });
  };
  return (
    <>
      <button
        type="button"
        class={`button ${tone}`}
        disabled={!isAllowed || isDisabled}
        title={isAllowed ? undefined : 'This console only reads. To write, start it with --operator.'}
        onClick={() => open().catch(fail)}
      >
        {label}
      </button>
      <dialog ref={dialog} class="dialog" aria-label={label} onClose={leave}>
        <h2>{label}</h2>
        {stage.at === 'preview' && <Loading lines={3} />}
        {stage.at === 'question' && (
          <Question
            previewed={stage.previewed}
            label={label}
            isDangerous={tone === 'danger'}
            confirm={() => confirm(stage.previewed).catch(fail)}
            close={close}
          />
        )}
        {stage.at === 'running' && <Running progress={stage.progress} />}
        {stage.at === 'result' && (
          <>
            <p class={stage.result.isFailure === true ? 'outcome bad' : 'outcome good'} role="status">
              {withTimes(stage.result.message)}
            </p>
            <Lines lines={stage.result.lines} />
            <footer>
              {stage.result.path !== undefined && (
                <a class="button" href={stage.result.path} onClick={close}>
                  Open
                </a>
              )}
              <button type="button" class="button" onClick={close}>
                Close
              </button>
            </footer>
          </>
        )}
        {stage.at === 'error' && (
          <>
            <ErrorPanel error={stage.error} />
            <footer>
              <button type="button" class="button" onClick={close}>
                Close
              </button>
            </footer>
          </>
        )}
      </dialog>
    </>
  );
}

function Question({
  previewed: { preview: shown },
  label,
  isDangerous,
  confirm,
  close,
}: {
  readonly previewed: Previewed;
  readonly label: string;
  readonly isDangerous: boolean;
  readonly confirm: () => void;
  readonly close: () => void;
}) {
  const environment = useSharedValue(session)?.environment ?? '';
  const [typed, setTyped] = useState('');
  const isTyped = shown.typed === undefined || typed.trim() === shown.typed;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isTyped) confirm();
      }}
    >
      <p class="will">
        {shown.canRun ? `This will ${shown.will} ` : `There is nothing to do: this would ${shown.will} `}
        <span class="none">(environment {environment}).</span>
      </p>
      {shown.facts !== undefined && shown.facts.length > 0 && (
        <table class="counts">
          <tbody>
            {shown.facts.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number">{typeof value === 'string' && isoTime.test(value) ? <Time at={value} /> : value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Lines lines={shown.lines} />
      {shown.canRun && shown.typed !== undefined && (
        <label class="typed">
          <span>
            To confirm, write <code>{shown.typed}</code>
          </span>
          <input
            value={typed}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
      )}
      <footer>
        <button type="button" class="button" onClick={close}>
          {shown.canRun ? 'Go back' : 'Close'}
        </button>
        {shown.canRun && (
          <button
            type="submit"
            class={isDangerous ? 'button danger confirm' : 'button primary confirm'}
            disabled={!isTyped}
          >
            {label}
          </button>
        )}
      </footer>
    </form>
  );
}

function Running({ progress }: { readonly progress: Progress | undefined }) {
  const total = progress?.total;
  return (
    <div role="status">
      <p>
        {progress === undefined ? 'Working …' : `${progress.done} ${total === undefined ? '' : `of ${total} `}done …`}
      </p>
      {total === undefined ? (
        <progress aria-label="Progress" />
      ) : (
        <progress aria-label="Progress" value={progress?.done} max={Math.max(1, total)} />
      )}
    </div>
  );
}

/** A line of a plan has its mark in front, as cdk diff writes it. */
export function Lines({ lines = [] }: { readonly lines?: readonly string[] | undefined }) {
  if (lines.length === 0) return null;
  return (
    <pre class="lines" tabIndex={0}>
      {lines.map((line, index) => (
        <span key={index} class={markOf(line)}>
          {`${withTimes(line)}\n`}
        </span>
      ))}
    </pre>
  );
}

function markOf(line: string): string {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return /^[~!]/.test(line) ? 'changed' : '';
}
