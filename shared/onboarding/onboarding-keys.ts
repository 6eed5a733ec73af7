import { createHash } from 'node:crypto';
import { isFinalStep, type OnboardingStep } from './onboarding-steps.ts';

/** The keys of the onboardings table and of its indexes: the stacks create them, the onboarding store uses them. */
export const onboardingKeys = {
  partition: 'onboardingId',
  timeToLive: 'expiresAt',
  /** Only an erased onboarding has it. */
  erasedOn: 'erasedOn',
  /** Only an onboarding whose person is being erased has it. */
  erasingOn: 'erasingOn',
  /** Only an onboarding that is erased, or is being erased, without the person of its externalId has it. */
  isOfAnother: 'isOfAnother',
  /** Holds the onboardings that are not at their end, by when they are due. */
  due: { index: 'due', partition: 'dueShard', sort: 'dueOn' },
  /** Find the onboarding that an event of the platform is about. */
  person: {
    index: 'ofPerson',
    partition: 'naturalPersonId',
    /** What its items hold besides: which verifications a person has had, and `dueOn` if the onboarding is open. */
    holds: ['identificationVerificationId', 'formerVerificationIds', 'dueOn'],
  },
  verification: { index: 'ofVerification', partition: 'identificationVerificationId' },
  /** Holds the onboardings by their step and by when they changed. Erasures that have not ended are in a partition of their own. */
  listed: {
    index: 'listed',
    partition: 'listLane',
    sort: 'updatedOn',
    /** What its items hold besides: all that a list shows. */
    holds: ['version', 'state', 'expiresAt'],
  },
} as const;

/** The id of an onboarding. Only the partner uses the externalId instead, since that may be personal data. SHA-256, in hex. */
export function onboardingIdOf(externalId: string): string {
  return createHash('sha256').update(externalId).digest('hex');
}

/** What stands in a path in place of an externalId, if only the id of the onboarding is known. */
const byOnboardingId = /^onboardingId:([\da-f]{64})$/;

/** The onboarding that a path names: by its externalId, or by `onboardingId:` and its id. */
export function onboardingIdIn(pathSegment: string): string {
  return byOnboardingId.exec(pathSegment)?.[1] ?? onboardingIdOf(pathSegment);
}

/**
 * The shard of the index of what is due. A partition takes 1,000 write units a second (docs/decisions/onboarding-steps.md,
 * "Due onboardings are leased").
 */
export const dueShard = '0';

/** The other shards of release 0.2.0, which had one for each hex digit. A row leaves them with its next save. */
export const formerDueShards: readonly string[] = [...'123456789abcdef'];

/** Shards of each step in the index of the list: a partition takes 1,000 writes a second. */
const listShards = ['0', '1', '2', '3'] as const;

/** Where an onboarding is listed: at its step, by a shard of its id. Those that stalled are apart, so that a query can count them. */
export function listLaneOf(
  { step, stalledOn }: { readonly step: OnboardingStep; readonly stalledOn?: string | undefined },
  onboardingId: string,
): string {
  if (stalledOn !== undefined) return stalledLaneOf(step);
  const shard = Number.parseInt(onboardingId.slice(0, 1), 16) % listShards.length;
  return `${step}#${shard}`;
}

/** The partitions that hold all onboardings of these steps. */
export function listLanesOf(steps: readonly OnboardingStep[]): readonly string[] {
  return [...steps.flatMap((step) => listShards.map((shard) => `${step}#${shard}`)), ...stalledLanesOf(steps)];
}

/** The partitions that hold the onboardings that stalled at one of these steps. */
export function stalledLanesOf(steps: readonly OnboardingStep[]): readonly string[] {
  return steps.filter((step) => !isFinalStep(step)).map(stalledLaneOf);
}

function stalledLaneOf(step: OnboardingStep): string {
  return `${step}#stalled`;
}

/** The partition of the list that holds the erasures that have begun and not ended. No list shows them. */
export const erasingLane = 'ERASING';
