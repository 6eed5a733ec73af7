/** A key is held for one effect at a time, until its holder settles it or its time is over. */
export type Claim = {
  /** The entity or the onboarding. */
  readonly key: string;
  /** Of the event that is to take effect. */
  readonly sequence: number;
  /** Names the holder: another one for each claim. */
  readonly holder: string;
  /** In milliseconds: how long the key is held at most. */
  readonly holdMs: number;
};

/** What a claim is answered with: take effect; drop the event, which is too old; or try again later. */
export type ClaimAnswer = 'claimed' | 'stale' | 'held';

/**
 * Where two sequences of each key are kept: the highest that was claimed, and the highest that took effect. Two functions, each with one
 * atomic write.
 */
export type SequenceStore = {
  /**
   * Answers `stale` if a higher sequence was claimed, or this one took effect. Answers `held` if another holder has the key and its time
   * is not over. Otherwise holds the key, and keeps the sequence as claimed: an older one must not follow an effect whose settlement was lost.
   */
  readonly claim: (claim: Claim) => Promise<ClaimAnswer>;
  /**
   * Ends the claim of this holder. With `hasTakenEffect`, keeps its sequence. @throws if the holder does not hold the key any more
   */
  readonly settle: (claim: Claim, hasTakenEffect: boolean) => Promise<void>;
};

/** Another holder has taken the key meanwhile: the claim was too short for the effect. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
}

/** A store in the memory of one process: for tests of your handlers. */
export function inMemorySequences(now: () => number = Date.now): SequenceStore {
  const rows = new Map<string, Row>();
  return {
    claim: async ({ key, sequence, holder, holdMs }) => {
      const { claimed, done, heldUntil } = rows.get(key) ?? { claimed: 0, done: 0, heldUntil: 0 };
      if (sequence < claimed || sequence <= done) return 'stale';
      if (heldUntil > now()) return 'held';
      rows.set(key, { claimed: sequence, done, holder, heldUntil: now() + holdMs });
      return 'claimed';
    },
    settle: async ({ key, sequence, holder }, hasTakenEffect) => {
      const row = rows.get(key);
      if (row?.holder !== holder) throw lost(key);
      rows.set(key, { claimed: row.claimed, done: hasTakenEffect ? sequence : row.done, heldUntil: 0 });
    },
  };
}

type Row = { readonly claimed: number; readonly done: number; readonly holder?: string; readonly heldUntil: number };

/** The error of a settlement whose claim is not held any more. */
export function lost(key: string, options?: ErrorOptions): ClaimLostError {
  return new ClaimLostError(
    `${key} was held for too short a time: give the consumer the context of Lambda, or a longer maxRunMs.`,
    options,
  );
}
