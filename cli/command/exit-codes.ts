/** What a script learns from a command. */
export const exitCodes = {
  /** The command did what it says, and found nothing that needs an operator. */
  good: 0,
  /** The command found something that needs an operator. */
  found: 1,
  /** The command could not be done, or the operator did not confirm it. */
  failed: 2,
} as const;
