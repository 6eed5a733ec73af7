import type { LiveLine } from '#cli/console/live/live-feed.ts';

/** What a list of stored events is filtered by; a part that is not filtered is empty. */
export type StoredFilter = Readonly<Record<'eventType' | 'quarantineReason' | 'receivedFrom' | 'receivedTo', string>>;

/** Whether a webhook that came is of the list. */
export function isOfList(
  { source, type, status, time }: Pick<LiveLine, 'source' | 'type' | 'status' | 'time'>,
  { eventType, quarantineReason, receivedFrom, receivedTo }: StoredFilter,
): boolean {
  const isOfReason = quarantineReason === 'ANY' ? status !== undefined : status === quarantineReason;
  return (
    source === 'webhook' &&
    (eventType === '' || type === eventType) &&
    (quarantineReason === '' || isOfReason) &&
    time >= receivedFrom &&
    (receivedTo === '' || time <= receivedTo)
  );
}

export type BoardFilter = { readonly step: string; readonly isStalled: boolean };

/**
 * Whether an event of an onboarding changes what a board shows: the onboarding is shown and may leave, or it comes to the step.
 *
 * @param shown the ids of the onboardings on the board
 */
export function isOfBoard(
  { type, about = '', status }: Pick<LiveLine, 'type' | 'about' | 'status'>,
  { step, isStalled }: BoardFilter,
  shown: ReadonlySet<string>,
): boolean {
  if (!type.startsWith('Onboarding')) return false;
  if (shown.has(about)) return true;
  return (step === '' || status === step) && (!isStalled || type === 'OnboardingStalled');
}
