import type { ConsoleContext } from '#cli/console/console-context.ts';
import { createReplayActions } from './replay-actions.ts';

/** All that the pages can do, by name. The pages take the types of the inputs from here. */
export function createActions(context: ConsoleContext) {
  return { ...createReplayActions(context) };
}

export type Actions = ReturnType<typeof createActions>;
export type ActionName = keyof Actions;
/** What an action is asked. */
export type ActionInput<Name extends ActionName> = Parameters<Actions[Name]['prepare']>[0];
