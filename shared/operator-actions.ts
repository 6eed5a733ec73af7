/**
 * The log messages that record what an operator did with a deployment: the saved query `operator-actions` selects them, in the order
 * of this list.
 */
export const operatorActions = [
  // Of the functions.
  'event body read',
  'onboarding request read',
  'person erased',
  // Of the command line and the console, before the action.
  'credentials change requested',
  'dead letters read',
  'erasure requested',
  'erasures repeated',
  'export requested',
  'purge requested',
  'redrive requested',
  'replay requested',
  'secret rotation requested',
  'token replacement requested',
  'video call link read',
] as const;

export type OperatorAction = (typeof operatorActions)[number];
