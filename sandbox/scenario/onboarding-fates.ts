import type { NaturalPersonStatus } from '#sandbox/platform/persons/natural-person-status.ts';
import type { IdentificationMode } from '#shared/onboarding-state.ts';
import type { OnboardingStep } from '#shared/onboarding-steps.ts';

/** What the platform has under an externalId before it is asked for: a person of this status, or one that it has purged. */
export type KnownBefore = {
  readonly as: 'the same person' | 'another person';
  readonly status: NaturalPersonStatus;
  readonly hasVerification?: true;
  readonly isPurged?: true;
};

/** What the partner's people do about an onboarding, or its person. */
export type Deed = 'cancel' | 'retry' | 'update' | 'erase';

/** What is done, once, as soon as the onboarding is there; the platform and the person wait for it. */
export type PlannedDeed = { readonly what: Deed; readonly at: OnboardingStep };

/** What becomes of a person on the platform, and where its onboarding must end by that. */
export type Fate = {
  /** Of so many persons this is the fate, in about a hundred. */
  readonly weight: number;
  readonly mode: IdentificationMode;
  /** Identified by a birth certificate. */
  readonly isMinor?: true;
  readonly known?: KnownBefore;
  /** What the platform's checks come to, one after the other. */
  readonly checks: readonly NaturalPersonStatus[];
  /** How the video calls end, one after the other: APPROVED, unless given. There is none after the last. */
  readonly videoCalls?: readonly string[];
  /** What becomes of the person, at once, while the video call waits for it: there will be none. */
  readonly inPlaceOfCall?: readonly NaturalPersonStatus[];
  /** What becomes of the person, at once, when it is PENDING. */
  readonly activation: readonly NaturalPersonStatus[];
  /** What is done about it meanwhile, one after the other. */
  readonly deeds?: readonly PlannedDeed[];
  /** The configured requestor has no proxy for the person until an operator gives it one. */
  readonly lacksProxy?: true;
  readonly ends: OnboardingStep;
  /** Why, where the onboarding says so. */
  readonly reason?: string;
  /** The person on the platform at the end; undefined where there is none. */
  readonly status: NaturalPersonStatus | undefined;
};

const completed = { checks: ['CREATED'], activation: ['ACTIVE'], ends: 'COMPLETED', status: 'ACTIVE' } as const;
const adopted = { ...completed, checks: [] } as const;
const asIt = (status: NaturalPersonStatus) => ({ as: 'the same person', status }) as const;

const canceled = { activation: [], ends: 'CANCELED' } as const;

/** Every fate with the requestor that is each person itself. The first of each come first, however few persons there are. */
export const fates: Readonly<Record<string, Fate>> = {
  'by video': { ...completed, weight: 20, mode: 'video' },
  'by video, after a review': { ...completed, weight: 4, mode: 'video', checks: ['REVIEW', 'CREATED'] },
  supplied: { ...completed, weight: 12, mode: 'supplied' },
  'supplied, a minor': { ...completed, weight: 8, mode: 'supplied', isMinor: true },
  'not identified by us': { ...completed, weight: 7, mode: 'none' },
  'adopted, ACTIVE': { ...adopted, weight: 3, mode: 'none', known: asIt('ACTIVE') },
  'adopted, ACTIVE, by video': { ...adopted, weight: 3, mode: 'video', known: asIt('ACTIVE') },
  'adopted with a verification': {
    ...adopted,
    weight: 4,
    mode: 'video',
    known: { ...asIt('CREATED'), hasVerification: true },
  },
  'adopted, supplied': { ...adopted, weight: 3, mode: 'supplied', known: asIt('CREATED') },
  'another person': {
    weight: 5,
    mode: 'supplied',
    known: { as: 'another person', status: 'ACTIVE' },
    checks: [],
    activation: [],
    ends: 'FAILED',
    reason: 'EXTERNAL_ID_OF_ANOTHER_PERSON',
    status: 'ACTIVE',
  },
  'the id of one that was purged': {
    weight: 3,
    mode: 'video',
    known: { as: 'another person', status: 'INVALID', isPurged: true },
    checks: [],
    activation: [],
    ends: 'STOPPED',
    reason: 'CONFLICT_UNEXPLAINED',
    status: undefined,
  },
  INVALID: { weight: 5, mode: 'video', checks: ['INVALID'], activation: [], ends: 'INVALID', status: 'INVALID' },
  REJECTED: { weight: 3, mode: 'supplied', checks: ['REJECTED'], activation: [], ends: 'REJECTED', status: 'REJECTED' },
  'REJECTED by a review': {
    weight: 2,
    mode: 'none',
    checks: ['REVIEW', 'REJECTED'],
    activation: [],
    ends: 'REJECTED',
    status: 'REJECTED',
  },
  'SUSPENDED before the video call': {
    weight: 3,
    mode: 'video',
    checks: ['CREATED'],
    inPlaceOfCall: ['PENDING', 'ACTIVE', 'SUSPENDED'],
    activation: [],
    ends: 'SUSPENDED',
    status: 'SUSPENDED',
  },
  'SUSPENDED at the end': {
    weight: 3,
    mode: 'supplied',
    checks: ['CREATED'],
    activation: ['ACTIVE', 'SUSPENDED'],
    ends: 'SUSPENDED',
    status: 'SUSPENDED',
  },
  'BLOCKED at the end': {
    weight: 3,
    mode: 'video',
    checks: ['CREATED'],
    activation: ['ACTIVE', 'BLOCKED'],
    ends: 'BLOCKED',
    status: 'BLOCKED',
  },
  'a video call that fails': {
    weight: 5,
    mode: 'video',
    checks: ['CREATED'],
    videoCalls: ['FAILED'],
    activation: [],
    ends: 'FAILED',
    reason: 'IDENTIFICATION_FAILED',
    status: 'CREATED',
  },
  'a video call that is given up': {
    weight: 4,
    mode: 'video',
    checks: ['CREATED'],
    videoCalls: ['ABORTED_BY_USER'],
    activation: [],
    ends: 'FAILED',
    reason: 'IDENTIFICATION_ABORTED_BY_USER',
    status: 'CREATED',
  },
  'a second video call, when retried': {
    ...completed,
    weight: 4,
    mode: 'video',
    videoCalls: ['FAILED', 'APPROVED'],
    deeds: [{ what: 'retry', at: 'FAILED' }],
  },
  'canceled while it is checked': {
    ...canceled,
    weight: 3,
    mode: 'supplied',
    checks: [],
    deeds: [{ what: 'cancel', at: 'AWAITING_CHECKS' }],
    status: 'RECEIVED',
  },
  'canceled before the video call': {
    ...canceled,
    weight: 3,
    mode: 'video',
    checks: ['CREATED'],
    videoCalls: [],
    deeds: [{ what: 'cancel', at: 'AWAITING_VIDEO_CALL' }],
    status: 'CREATED',
  },
  'canceled, then erased': {
    ...canceled,
    weight: 2,
    mode: 'video',
    checks: ['CREATED'],
    videoCalls: [],
    deeds: [
      { what: 'cancel', at: 'AWAITING_VIDEO_CALL' },
      { what: 'erase', at: 'CANCELED' },
    ],
    status: 'CREATED',
  },
  'updated while it is checked': {
    ...completed,
    weight: 3,
    mode: 'none',
    deeds: [{ what: 'update', at: 'AWAITING_CHECKS' }],
  },
  'adopted, ACTIVE, updated before the video call': {
    ...adopted,
    weight: 3,
    mode: 'video',
    known: asIt('ACTIVE'),
    deeds: [{ what: 'update', at: 'AWAITING_VIDEO_CALL' }],
  },
  'updated at the end': {
    ...completed,
    weight: 3,
    mode: 'supplied',
    deeds: [{ what: 'update', at: 'COMPLETED' }],
  },
  'updated at the end, then erased': {
    ...completed,
    weight: 4,
    mode: 'video',
    deeds: [
      { what: 'update', at: 'COMPLETED' },
      { what: 'erase', at: 'COMPLETED' },
    ],
  },
  'REJECTED, then erased': {
    weight: 2,
    mode: 'none',
    checks: ['REJECTED'],
    activation: [],
    deeds: [{ what: 'erase', at: 'REJECTED' }],
    ends: 'REJECTED',
    status: 'REJECTED',
  },
};

/** Every fate with a configured requestor that has proxies: first those that there are with no other. */
export const fatesByProxy: Readonly<Record<string, Fate>> = {
  'by video, without a proxy at first': { ...completed, weight: 4, mode: 'video', lacksProxy: true },
  'supplied, without a proxy at first': { ...completed, weight: 4, mode: 'supplied', lacksProxy: true },
  ...fates,
};
