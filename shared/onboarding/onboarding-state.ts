import * as z from 'zod/mini';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { identificationFields } from '#shared/platform/resources/natural-person-identification.ts';
import { storedNewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';
import { endOfLease } from './onboarding-message.ts';
import { onboardingStepWords } from './onboarding-steps.ts';

/** The data of a request that is still needed. It is personal data. */
export const onboardingData = z.object({
  /** With its externalId; until the platform has the person. */
  person: z.optional(storedNewNaturalPerson),
  /** Supplied by the partner (section 4.2); until the platform has it. */
  identification: z.optional(identificationFields),
  /** Where the person goes after the video call; until it is APPROVED. */
  redirectUrl: z.optional(z.string()),
});

export type OnboardingData = Readonly<z.output<typeof onboardingData>>;

/** The digests to compare a repeated request. */
export const requestDigests = z.object({
  salt: z.string(),
  whole: z.string(),
  /** Empty once the person has left the row. Release 0.2.0 kept them, and cannot read a row without the field. */
  fields: z.record(z.string(), z.string()),
});

export type RequestDigests = Readonly<z.output<typeof requestDigests>>;

/** How the person is identified: in a video call, by what the partner supplies (section 4.2), or not at all. */
export const identificationModes = ['video', 'supplied', 'none'] as const;

export type IdentificationMode = (typeof identificationModes)[number];

/** Why an onboarding does not continue. Codes of the specification or of Drawbridge, and names of fields: never a value. */
export const onboardingReason = z.object({
  code: z.string(),
  fields: z.optional(z.array(z.string())),
  /** Of a code that the platform gave: such a code may equal one of our codes. Older rows do not have it. */
  source: z.optional(z.literal('platform')),
});

export type OnboardingReason = Readonly<z.output<typeof onboardingReason>>;

/** A reason that is a code of the platform. */
export function ofPlatform(code: string): OnboardingState['reasons'][number] {
  return { code, source: 'platform' };
}

/** Consecutive failures of the platform at a step. */
const onboardingFailing = z.object({
  /** When it failed first, without a success since. */
  since: timestamp,
  /** How often it has failed since. */
  times: z.int(),
  /** The latest failure: a condition of section 7, `HTTP_` and a status, or the kind of failure. */
  why: z.string(),
});

export type OnboardingFailing = Readonly<z.output<typeof onboardingFailing>>;

/** A status that no setting explains. */
export const unknownStatus = z.object({
  /** Of what. */
  kind: z.enum(['natural-person', 'identification-verification']),
  /** Absent if the status is not a word: any other text could hold personal data. */
  status: z.optional(z.string()),
});

export type UnknownStatus = Readonly<z.output<typeof unknownStatus>>;

/** What a 409 to a new person is about, as far as its body says: the externalId, or the natural person. */
const conflictSubjects = ['EXTERNAL_ID', 'PERSON'] as const;

export type ConflictSubject = (typeof conflictSubjects)[number];

/** The stored state of the state machine. No personal data. */
export const onboardingState = z.object({
  step: z.enum(onboardingStepWords),
  /** When it came to the step. Times are ISO 8601, UTC. */
  since: timestamp,
  acceptedOn: timestamp,
  /** When the onboarding was accepted, retried or restarted: it expires `openDays` after this. */
  openSince: timestamp,
  mode: z.enum(identificationModes),
  naturalPersonId: z.optional(z.string()),
  identificationVerificationId: z.optional(z.string()),
  /** Persons and verifications before a retry or restart: an erasure must find them. */
  formerPersonIds: z.optional(z.array(z.string())),
  formerVerificationIds: z.optional(z.array(z.string())),
  identificationUrl: z.optional(z.string()),
  /** When the latest create with an unknown answer began; or when the search for the person of a 409 ended without a result. */
  intentOn: z.optional(timestamp),
  /** Whether the answer to an earlier create of the person never came: the platform may have a person with an unknown id. */
  hasUnknownCreate: z.optional(z.boolean()),
  /** Whether a search found another person under the externalId. Stays after a restart, until the onboarding has its own person. */
  isExternalIdOfAnother: z.optional(z.boolean()),
  /** Where a search continues that was too long for one run. */
  cursor: z.optional(z.string()),
  /** Whether the person may have a verification with an unknown id. */
  mustSeek: z.boolean(),
  /** Whether the platform has the identification. */
  isIdentified: z.boolean(),
  /** Whether the requestor was ACTIVE before the latest attempt to act for it. */
  requestorWasActive: z.boolean(),
  /** When it was published that the step takes too long. */
  stalledOn: z.optional(timestamp),
  /** How often the onboarding has waited at this step, except after a webhook. Stored by this name. */
  looks: z.int(),
  /** The platform fails this step; undefined after a success. */
  failing: z.optional(onboardingFailing),
  /** The status that the latest read at this step showed, if no setting explains it. */
  unknownStatus: z.optional(unknownStatus),
  /** What the 409 was about that led to this step. */
  conflict: z.optional(z.enum(conflictSubjects)),
  /** Whether the search of this step has shown the same natural person under another externalId. */
  hasNamesake: z.optional(z.boolean()),
  /** When the onboarding is due; undefined once it has ended and all is published. */
  dueOn: z.optional(timestamp),
  /**
   * Whether, until `dueOn`, only the message of a lease makes the onboarding ask the platform: a run is at work, the platform fails
   * the step, or each attempt is costly. Any other message then changes nothing.
   */
  isPaced: z.optional(z.boolean()),
  /** Leases since the last complete run, including the current one. */
  leases: z.optional(z.int()),
  /** When the first of these leases was due: a lease does not move it, as it moves `dueOn`. */
  dueSince: z.optional(timestamp),
  reasons: z.array(onboardingReason),
});

export type OnboardingState = Readonly<z.output<typeof onboardingState>>;

/** Whether the person became ACTIVE, and Drawbridge has not seen its identification succeed. */
export function isIdentificationOpen({ step, mode, isIdentified }: OnboardingState): boolean {
  return step === 'COMPLETED' && mode !== 'none' && !isIdentified;
}

/** The state of a new onboarding. */
export function newOnboarding(mode: IdentificationMode, now: string): OnboardingState {
  return {
    step: 'REQUESTED',
    since: now,
    acceptedOn: now,
    openSince: now,
    mode,
    mustSeek: false,
    isIdentified: false,
    requestorWasActive: false,
    looks: 0,
    dueOn: endOfLease(new Date(now)),
    reasons: [],
  };
}
