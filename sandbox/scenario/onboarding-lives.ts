import { supported } from '#sandbox/platform/persons/identification-verification-schema.ts';
import type { NaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import type { Platform } from '#sandbox/platform/platform.ts';
import type { Fate, PlannedDeed } from './onboarding-fates.ts';
import type { PlannedOnboarding } from './onboarding-plan.ts';

/** Puts on the platform whom it knows before they are to be onboarded. */
export function createKnownPersons(platform: Platform, plan: readonly PlannedOnboarding[]): void {
  for (const { fate, request } of plan) {
    if (fate.known === undefined) continue;
    const { as, status, hasVerification = false } = fate.known;
    const { externalId, person } = request;
    const lastName = as === 'the same person' ? person.lastName : `${person.lastName}-Beispiel`;
    const { naturalPersonId } = makeReadyPerson(platform, { ...person, lastName, externalId }, status);
    if (hasVerification) platform.verifications.create({ naturalPersonId, ...supported });
  }
}

/** What the partner's side has come to. */
export type PartnersPart = {
  /** What somebody is to do first. */
  readonly awaited: PlannedDeed | undefined;
  /** Whether the person was told where this video call is. */
  readonly isOffered: (identificationVerificationId: string) => boolean;
};

/** The platform's part, and the person's own, in the next step of the person's way, if it is for them to take it. */
export function live(
  platform: Platform,
  fate: Fate,
  person: NaturalPerson,
  { awaited, isOffered }: PartnersPart,
): void {
  const { persons, verifications } = platform;
  const { naturalPersonId, naturalPersonStatus: status } = person;
  const become = (next: readonly (typeof status)[]) => {
    for (const one of next) persons.changeStatus(naturalPersonId, one);
  };
  const calls = verifications.of(naturalPersonId);
  const call = awaited?.at === 'AWAITING_VIDEO_CALL' ? undefined : calls.find((one) => one.status === 'PENDING');
  if (status === 'RECEIVED' && awaited?.at !== 'AWAITING_CHECKS') {
    if (fate.lacksProxy) endProxies(platform, naturalPersonId);
    become(fate.checks.slice(0, 1));
  } else if (status === 'REVIEW') become(fate.checks.slice(1, 2));
  else if (status === 'PENDING') become(fate.activation);
  else if (status === 'CREATED' && fate.mode === 'none') become(['PENDING']);
  else if (status === 'CREATED' && call !== undefined && fate.inPlaceOfCall !== undefined) become(fate.inPlaceOfCall);
  else if ((status === 'CREATED' || status === 'ACTIVE') && call && isOffered(call.identificationVerificationId)) {
    const outcome = fate.videoCalls === undefined ? 'APPROVED' : fate.videoCalls[calls.indexOf(call)];
    if (outcome !== undefined) verifications.endVideoCall(call.identificationVerificationId, outcome);
  }
}

function endProxies({ proxies }: Pick<Platform, 'proxies'>, naturalPersonId: string): void {
  for (const proxy of proxies.list()) if (proxy.naturalPersonId === naturalPersonId) proxies.deactivate(proxy.proxyId);
}

/** Every person that the platform shows, by its externalId. */
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
