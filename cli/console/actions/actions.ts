import type { ConsoleContext } from '#cli/console/console-context.ts';
import { createBusActions } from './bus-actions.ts';
import { createOnboardingActions } from './onboarding-actions.ts';
import { createPersonActions } from './person-actions.ts';
import { createQueueActions } from './queue-actions.ts';
import { createReconciliationActions } from './reconciliation-actions.ts';
import { createRegistrationActions } from './registration-actions.ts';
import { createReplayActions } from './replay-actions.ts';
import { createSandboxActions } from './sandbox-actions.ts';

/** All that the pages can do, by name. The pages take the types of the inputs from here. */
export function createActions(context: ConsoleContext) {
  return {
    ...createReplayActions(context),
    ...createBusActions(context),
    ...createQueueActions(context),
    ...createOnboardingActions(context),
    ...createPersonActions(context),
    ...createRegistrationActions(context),
    ...createReconciliationActions(context),
    ...createSandboxActions(context),
  };
}

export type Actions = ReturnType<typeof createActions>;
export type ActionName = keyof Actions;
/** What an action is asked. */
export type ActionInput<Name extends ActionName> = Parameters<Actions[Name]['prepare']>[0];
