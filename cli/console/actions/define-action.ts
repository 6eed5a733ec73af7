import type * as z from 'zod';
import { checkInput } from '#cli/console/check-input.ts';

/** What an action will do, as an operator sees it before anything happens. */
export type Preview = {
  /** The rest of "This will …". */
  readonly will: string;
  /** How many messages, events or entities are concerned, if they can be counted. */
  readonly count?: number | undefined;
  /** Names and values that help to decide. */
  readonly facts?: readonly (readonly [name: string, value: string | number])[];
  /** Lines of a plan. */
  readonly lines?: readonly string[];
  /** What the operator types before it runs, because nothing brings back what it removes. */
  readonly typed?: string;
  /** Whether there is something to do. */
  readonly canRun: boolean;
};

export type ActionResult = {
  readonly message: string;
  readonly lines?: readonly string[];
  /** The page of what was made. */
  readonly path?: string;
  /** The id in bus events about what was made. */
  readonly about?: string;
  /** Whether part of the action failed. */
  readonly isFailure?: boolean;
};

/** What was done so far, of what was counted. */
export type OnProgress = (done: number, total: number | undefined) => void;

/** What was previewed: running it does exactly that. */
export type PreparedAction = {
  readonly preview: Preview;
  readonly run: (onProgress: OnProgress) => Promise<ActionResult>;
};

/** A write, or a long read. */
export type Action<Input> = {
  /** Whether the action changes nothing, so that a console that only reads may run it. */
  readonly isRead: boolean;
  /** Finds out what the action would do with an input as the pages write it. */
  readonly prepare: (input: Input) => Promise<PreparedAction>;
  /** Checks an input that came over HTTP, and prepares. @throws {CliError} INVALID_INPUT */
  readonly prepareChecked: (input: unknown) => Promise<PreparedAction>;
};

/** @param input the schema of the input */
export function defineAction<Input extends z.ZodType>(
  input: Input,
  prepare: (input: z.output<Input>) => Promise<PreparedAction>,
  { isRead = false }: { readonly isRead?: boolean } = {},
): Action<z.input<Input>> {
  const prepareChecked = async (given: unknown) => prepare(checkInput(input, given));
  return { isRead, prepare: prepareChecked, prepareChecked };
}
