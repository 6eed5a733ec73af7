import type { TimelineEventAnswer } from '#shared/api/query-answers.ts';

/** Why an event had its effect, in a sentence. */
export function explainEffect({
  effect,
  change,
  status,
  modifiedOn,
  readOn,
  notificationType,
}: TimelineEventAnswer): string {
  const reported = status ?? notificationType ?? 'no status';
  switch (effect) {
    case 'applied':
      if (change?.status !== undefined && change.status !== change.statusBefore)
        return `The status changed from ${change.statusBefore ?? 'unknown'} to ${change.status}.`;
      if (change !== undefined) return 'The status stayed, and its time changed.';
      return 'The report does not settle the status, so that the entity is read back from the platform.';
    case 'superseded':
      return modifiedOn === undefined
        ? `${reported} has no time, and ranks below what was known.`
        : `What was known is later than this report of ${reported}, or ranks higher at the same time.`;
    case 'duplicate':
      return `${reported} was shown already.`;
    case 'anomaly':
      return `${reported} contradicts a final status: ${(change?.anomalies ?? []).join(', ') || 'see the anomalies'}.`;
    default:
      return readOn === undefined
        ? `The effect ${effect} is of a later release.`
        : 'The platform was asked for its state.';
  }
}
