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
  'bus replay requested',
  'credentials change requested',
  'dead letters read',
  'drain requested',
  'erasure requested',
  'erasures repeated',
  'export requested',
  'onboarding cancel requested',
  'onboarding retry requested',
  'onboarding start requested',
  'person update requested',
  'purge requested',
  'redrive requested',
  'repair requested',
  'replay requested',
  'secret rotation requested',
  'token replacement requested',
  'video call link read',
  'webhooks change requested',
] as const;

export type OperatorAction = (typeof operatorActions)[number];
