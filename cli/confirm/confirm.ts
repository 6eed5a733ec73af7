import { CommandError } from '#cli/command/command-error.ts';
import { visibleLine } from '#sandbox/terminal/visible-text.ts';

/** Asks the user. @returns false for no, and for Ctrl-C */
export type AskYesNo = (question: string) => Promise<boolean>;

/** @param action what the command will do, as the end of "This will …" @throws {CommandError} unless the user agrees */
export type Confirm = (action: string) => Promise<void>;

export type ConfirmDeps = {
  /** False on the laptop and with `--yes`: the command acts immediately. */
  readonly isAsked: boolean;
  /** Where the command acts, such as `environment production`. */
  readonly place: string;
  readonly askYesNo: AskYesNo | undefined;
  readonly stderr: (text: string) => void;
};

/** Says what a command will do, and asks whether it may. */
export function createConfirm({ isAsked, place, askYesNo, stderr }: ConfirmDeps): Confirm {
  return async (action) => {
    const announcement = visibleLine(`This will ${action} (${place}).`);
    if (!isAsked) {
      stderr(`${announcement}\n`);
      return;
    }
    if (askYesNo === undefined)
      throw new CommandError(
        `${announcement} Nothing was done: there is no terminal to ask.`,
        'run the command again with --yes.',
      );
    const answer: Promise<boolean> = askYesNo(`${announcement} Continue?`);
    if (!(await answer))
      throw new CommandError('Nothing was done: you did not confirm.', 'run the command again, or add --yes.');
  };
}
