import type { NaturalPersonStatus } from '#sandbox/platform/persons/natural-person-status.ts';
import type { IdentificationMode } from '#shared/onboarding/onboarding-state.ts';
import type { OnboardingStep } from '#shared/onboarding/onboarding-steps.ts';

/** What the platform has under an externalId before the onboarding: a person with this status, or a purged one. */
export type KnownBefore = {
  readonly as: 'the same person' | 'another person';
  readonly status: NaturalPersonStatus;
  readonly hasVerification?: true;
  readonly isPurged?: true;
};

/** What the partner's staff do about an onboarding or its person. */
export type PartnerAction = 'cancel' | 'retry' | 'update' | 'erase';

/** An action that happens once, as soon as the onboarding is at this step. Platform and person wait for it. */
export type PlannedAction = { readonly what: PartnerAction; readonly at: OnboardingStep };

/** How platform, person and partner behave, and where the onboarding must end because of that. */
export type Persona = {
  /** The number of persons with this persona in about a hundred. */
  readonly weight: number;
  readonly mode: IdentificationMode;
  /** Identified with a birth certificate. */
  readonly isMinor?: true;
  readonly known?: KnownBefore;
  /** The results of the platform's checks, in order. */
  readonly checks: readonly NaturalPersonStatus[];
  /** The outcomes of the video calls, in order; APPROVED by default. No further call takes place. */
  readonly videoCalls?: readonly string[];
  /** The statuses that the person takes immediately, instead of the video call. */
  readonly inPlaceOfCall?: readonly NaturalPersonStatus[];
  /** The statuses that the person takes immediately after PENDING. */
  readonly activation: readonly NaturalPersonStatus[];
  /** The partner actions, in order. */
  readonly actions?: readonly PlannedAction[];
  /** The configured requestor has no proxy for the person until an operator creates one. */
  readonly lacksProxy?: true;
  readonly ends: OnboardingStep;
  /** The reason code that the onboarding shows. */
  readonly reason?: string;
  /** The status of the person on the platform at the end; undefined if there is no person. */
  readonly status: NaturalPersonStatus | undefined;
};

const completed = { checks: ['CREATED'], activation: ['ACTIVE'], ends: 'COMPLETED', status: 'ACTIVE' } as const;
const adopted = { ...completed, checks: [] } as const;
const samePerson = (status: NaturalPersonStatus) => ({ as: 'the same person', status }) as const;

const canceled = { activation: [], ends: 'CANCELED' } as const;

/** The personas for onboardings whose requestor is the person itself. A plan takes one of each first. */
export const personas: Readonly<Record<string, Persona>> = {
  'by video': { ...completed, weight: 20, mode: 'video' },
  'by video, after a review': { ...completed, weight: 4, mode: 'video', checks: ['REVIEW', 'CREATED'] },
  supplied: { ...completed, weight: 12, mode: 'supplied' },
  'supplied, a minor': { ...completed, weight: 8, mode: 'supplied', isMinor: true },
  'not identified by us': { ...completed, weight: 7, mode: 'none' },
  'adopted, ACTIVE': { ...adopted, weight: 3, mode: 'none', known: samePerson('ACTIVE') },
  'adopted, ACTIVE, by video': { ...adopted, weight: 3, mode: 'video', known: samePerson('ACTIVE') },
  'adopted with a verification': {
    ...adopted,
    weight: 4,
    mode: 'video',
    known: { ...samePerson('CREATED'), hasVerification: true },
  },
  'adopted, supplied': { ...adopted, weight: 3, mode: 'supplied', known: samePerson('CREATED') },
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
    actions: [{ what: 'retry', at: 'FAILED' }],
  },
  'canceled while it is checked': {
    ...canceled,
    weight: 3,
    mode: 'supplied',
    checks: [],
    actions: [{ what: 'cancel', at: 'AWAITING_CHECKS' }],
    status: 'RECEIVED',
  },
  'canceled before the video call': {
    ...canceled,
    weight: 3,
    mode: 'video',
    checks: ['CREATED'],
    videoCalls: [],
    actions: [{ what: 'cancel', at: 'AWAITING_VIDEO_CALL' }],
    status: 'CREATED',
  },
  'canceled, then erased': {
    ...canceled,
    weight: 2,
    mode: 'video',
    checks: ['CREATED'],
    videoCalls: [],
    actions: [
      { what: 'cancel', at: 'AWAITING_VIDEO_CALL' },
      { what: 'erase', at: 'CANCELED' },
    ],
    status: 'CREATED',
  },
  'updated while it is checked': {
    ...completed,
    weight: 3,
    mode: 'none',
    actions: [{ what: 'update', at: 'AWAITING_CHECKS' }],
  },
  // It completes without a video call.
  'adopted, ACTIVE, updated at the end': {
    ...adopted,
    weight: 3,
    mode: 'video',
    known: samePerson('ACTIVE'),
    actions: [{ what: 'update', at: 'COMPLETED' }],
  },
  'updated at the end': {
    ...completed,
    weight: 3,
    mode: 'supplied',
    actions: [{ what: 'update', at: 'COMPLETED' }],
  },
  'updated at the end, then erased': {
    ...completed,
    weight: 4,
    mode: 'video',
    actions: [
      { what: 'update', at: 'COMPLETED' },
      { what: 'erase', at: 'COMPLETED' },
    ],
  },
  'REJECTED, then erased': {
    weight: 2,
    mode: 'none',
    checks: ['REJECTED'],
    activation: [],
    actions: [{ what: 'erase', at: 'REJECTED' }],
    ends: 'REJECTED',
    status: 'REJECTED',
  },
};

/** The personas for a configured requestor with proxies: first those that need one. */
export const personasByProxy: Readonly<Record<string, Persona>> = {
  'by video, without a proxy at first': { ...completed, weight: 4, mode: 'video', lacksProxy: true },
  'supplied, without a proxy at first': { ...completed, weight: 4, mode: 'supplied', lacksProxy: true },
  ...personas,
};
