import type { PreparedAction } from './define-action.ts';

/** Actions that were previewed and not confirmed yet. */
export type PendingActions = {
  /** @returns the id that confirms the action */
  readonly add: (action: PreparedAction) => string;
  /** The action, once; undefined for an unknown id, and after its time. */
  readonly take: (confirmation: string) => PreparedAction | undefined;
};

/** In milliseconds: what was counted is true for a while. */
const lifetime = 10 * 60_000;

const maxPending = 100;

export type PendingActionsDeps = { readonly now: () => Date; readonly newId: () => string };

/** So that what runs is what was shown: the browser names the preview, and never repeats its input. */
export function createPendingActions({ now, newId }: PendingActionsDeps): PendingActions {
  const pending = new Map<string, { readonly action: PreparedAction; readonly endsAt: number }>();
  return {
    add: (action) => {
      const [oldest] = pending.keys();
      if (pending.size >= maxPending && oldest !== undefined) pending.delete(oldest);
      const confirmation = newId();
      pending.set(confirmation, { action, endsAt: now().getTime() + lifetime });
      return confirmation;
    },
    take: (confirmation) => {
      const found = pending.get(confirmation);
      pending.delete(confirmation);
      return found !== undefined && found.endsAt > now().getTime() ? found.action : undefined;
    },
  };
}
