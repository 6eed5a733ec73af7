import type { RequestorTarget } from '#sandbox/platform/access/requestors.ts';
import type { Platform } from '#sandbox/platform/app/platform.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import { supportedBy } from '#sandbox/platform/persons/identification-schema.ts';
import type { NaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { Persona, PlannedAction } from './personas.ts';
import type { PlannedOnboarding } from './plan.ts';

/** Creates the persons that the platform knows before the onboarding begins. */
export function createKnownPersons(platform: Platform, plan: readonly PlannedOnboarding[]): void {
  for (const { persona, request } of plan) {
    if (persona.known === undefined) continue;
    const { as, status, hasVerification = false } = persona.known;
    const { externalId, person } = request;
    const lastName = as === 'the same person' ? person.lastName : `${person.lastName}-Beispiel`;
    const { naturalPersonId } = makeReadyPerson(platform, { ...person, lastName, externalId }, status);
    if (hasVerification) platform.verifications.create({ naturalPersonId, ...supportedBy(platform.settings.read()) });
  }
}

/** What the platform's next step depends on. */
export type PartnerState = {
  /** The partner action that must come first. */
  readonly awaited: PlannedAction | undefined;
  /** Whether the link to this video call was published. */
  readonly isOffered: (identificationVerificationId: string) => boolean;
};

/** Takes the next step of the persona, if the platform or the person is to act next. */
export function takeNextStep(
  platform: Platform,
  persona: Persona,
  person: NaturalPerson,
  { awaited, isOffered }: PartnerState,
): void {
  const { persons, verifications } = platform;
  const { naturalPersonId, naturalPersonStatus: status } = person;
  const become = (next: readonly (typeof status)[]) => {
    for (const one of next) persons.changeStatus(naturalPersonId, one);
  };
  const calls = verifications.of(naturalPersonId);
  const call = awaited?.at === 'AWAITING_VIDEO_CALL' ? undefined : calls.find((one) => one.status === 'PENDING');
  if (status === 'RECEIVED' && awaited?.at !== 'AWAITING_CHECKS') {
    if (persona.lacksProxy) endProxies(platform, naturalPersonId);
    become(persona.checks.slice(0, 1));
  } else if (status === 'REVIEW') become(persona.checks.slice(1, 2));
  else if (status === 'PENDING') become(persona.activation);
  else if (status === 'CREATED' && persona.mode === 'none') become(['PENDING']);
  else if (status === 'CREATED' && call !== undefined && persona.inPlaceOfCall !== undefined)
    become(persona.inPlaceOfCall);
  else if ((status === 'CREATED' || status === 'ACTIVE') && call && isOffered(call.identificationVerificationId)) {
    const outcome = persona.videoCalls === undefined ? 'APPROVED' : persona.videoCalls[calls.indexOf(call)];
    if (outcome !== undefined) verifications.endVideoCall(call.identificationVerificationId, outcome);
  }
}

function endProxies({ proxies }: Pick<Platform, 'proxies'>, naturalPersonId: string): void {
  for (const proxy of proxies.list()) if (proxy.naturalPersonId === naturalPersonId) proxies.deactivate(proxy.proxyId);
}

/** Lists every person of the platform by externalId. */
export function personsByExternalId({ persons }: Pick<Platform, 'persons'>): ReadonlyMap<string, NaturalPerson[]> {
  const all: NaturalPerson[] = [];
  let cursor: string | undefined;
  do {
    const { data, pagination } = persons.list({ limit: 1_000, ...(cursor !== undefined && { cursor }) });
    all.push(...data);
    cursor = pagination.cursor || undefined;
  } while (cursor !== undefined);
  return Map.groupBy(all, ({ externalId = '' }) => externalId);
}

/** The requestor of calls about a person (section 5): the person, or a configured person with a proxy for the others. */
export const requestorKinds = ['self', 'proxy'] as const;

/**
 * Creates a person that gets a proxy for every other person, on a platform that accepts no one before it is ACTIVE. Returns the setting
 * that makes the stacks use it.
 */
export function createRepresentative(platform: Platform): { readonly requestor: string } {
  platform.settings.change({ acceptSelfBeforeActive: false });
  return { requestor: representativeOf(platform) };
}

/**
 * Makes the platform require a Requestor-ID of each call, as section 5 says. Returns the requestors that the stacks then need for the
 * calls that carry none by default.
 */
export function requireRequestorEverywhere(platform: Platform): PlatformProfile['requestors'] {
  platform.settings.change({ requireRequestorEverywhere: true });
  const id = representativeOf(platform);
  return { naturalPerson: id, naturalPersons: id, webhooks: id, undeliveredWebhooks: id };
}

/** The person with a proxy for every other person, created unless there is one. */
function representativeOf(platform: Platform): string {
  const { representativeId } = platform.settings.read();
  if (representativeId !== null) return representativeId;
  const { naturalPersonId } = makeReadyPerson(platform, {}, 'ACTIVE');
  platform.settings.change({ representativeId: naturalPersonId });
  return naturalPersonId;
}

/** The requestor of calls about this person. */
function requestorFor(platform: Pick<Platform, 'settings'>, naturalPersonId: string): string {
  const { representativeId } = platform.settings.read();
  return isByProxy(platform) && representativeId !== null ? representativeId : naturalPersonId;
}

/** Whether a configured person is the requestor: where no person may act for itself before it is ACTIVE. */
export function isByProxy({ settings }: Pick<Platform, 'settings'>): boolean {
  return !settings.read().acceptSelfBeforeActive;
}

/** Whether the platform lets the requestor act for the person (section 5). */
export function mayAct(platform: Platform, target: RequestorTarget & { readonly naturalPersonId: string }): boolean {
  try {
    platform.requestors.authorize(requestorFor(platform, target.naturalPersonId), target);
    return true;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}
