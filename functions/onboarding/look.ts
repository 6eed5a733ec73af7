import type { OnboardingRow } from '#shared/onboarding-row.ts';
import type { OnboardingSettings } from '#shared/onboarding-settings.ts';
import { endingStatuses, type LooksAt, stepRow } from '#shared/onboarding-steps.ts';
import type { PlatformClient } from '#shared/platform/client.ts';
import { PlatformError, PlatformHttpError } from '#shared/platform/errors.ts';
import {
  getIdentificationVerification,
  type IdentificationVerification,
  listIdentificationVerifications,
} from '#shared/platform/identification-verifications.ts';
import type { NaturalPerson } from '#shared/platform/natural-person-schema.ts';
import { getNaturalPerson, listNaturalPersons } from '#shared/platform/natural-persons.ts';
import { searchList } from '#shared/platform/search-list.ts';
import { differingFields, isIdentifiedBy, isNamesake } from './compare-person.ts';
import type { Facts, Seen } from './facts.ts';
import { failureOf } from './failure.ts';

export type LookDeps = {
  readonly client: PlatformClient;
  readonly settings: OnboardingSettings;
  readonly now: () => Date;
};

/** Looks at the platform, as far as the step wants to know. Sends nothing that changes anything. */
export type Look = (row: OnboardingRow, isFailure: Facts['isFailure']) => Promise<Seen>;

/** How much of a list one run reads: pages, and milliseconds. The next run goes on from there. */
const mostRead = { pages: 50, time: 15_000 } as const;

/** Who acts in what concerns this person (section 5). */
export function requestorOf(naturalPersonId: string, { requestor }: OnboardingSettings): string {
  return requestor === 'self' ? naturalPersonId : requestor;
}

export function createLook({ client, settings, now }: LookDeps): Look {
  const lookAt: Readonly<Record<LooksAt, Look>> = {
    nothing: async () => ({ of: 'NOTHING' }),
    'persons of the externalId': searchPerson,
    'the person': seePerson,
    'the person and the requestor': seeRequestor,
    'the person and its verifications': searchVerification,
    'the person and the verification': seeVerification,
  };

  return async (row, isFailure) => {
    try {
      return await lookAt[stepRow(row.state.step).looksAt](row, isFailure);
    } catch (error) {
      return toUnread(error);
    }
  };

  function untilTired(): (pages: number) => boolean {
    const end = now().getTime() + mostRead.time;
    return (pages) => pages < mostRead.pages && now().getTime() < end;
  }

  async function searchPerson({ state, data: { person } }: OnboardingRow): Promise<Seen> {
    // A create that was not taken has made no person. One of unknown outcome is sent again where 409 would tell.
    const isSearchFutile = state.intentOn === undefined || client.profile.isExternalIdUnique;
    if (state.step === 'CREATING_PERSON' && isSearchFutile) return { of: 'NOTHING' };
    let hasNamesake = false;
    const list = listNaturalPersons(client, { cursor: state.cursor, isFirstPageSentOnce: true });
    const isWanted = (one: NaturalPerson) => {
      hasNamesake ||= isNamesake(person, one);
      return one.externalId === person?.externalId;
    };
    const search = await searchList(list, isWanted, untilTired());
    if (search === 'not found') return { of: 'SEARCH_ENDED', hasNamesake };
    if ('next' in search) return { of: 'SEARCH_CONTINUES', cursor: search.next, hasNamesake };
    const { found } = search;
    return { of: 'PERSON_FOUND', naturalPersonId: found.naturalPersonId, differing: differingFields(person, found) };
  }

  async function seePerson({ state, data }: OnboardingRow): Promise<Seen> {
    try {
      const person = await getNaturalPerson(client, state.naturalPersonId ?? '');
      const status = person.naturalPersonStatus ?? undefined;
      return { of: 'PERSON', status, isIdentified: isIdentifiedBy(data.identification, person) };
    } catch (error) {
      if (isNotFound(error)) return { of: 'PERSON_MISSING' };
      throw error;
    }
  }

  async function seeRequestor(row: OnboardingRow): Promise<Seen> {
    const seen = await seePerson(row);
    if (seen.of !== 'PERSON' || isAnEnd(seen)) return seen;
    if (settings.requestor === 'self') return { ...seen, requestorStatus: seen.status };
    const requestor = await getNaturalPerson(client, settings.requestor);
    return { ...seen, requestorStatus: requestor.naturalPersonStatus ?? undefined };
  }

  async function searchVerification(row: OnboardingRow, isFailure: Facts['isFailure']): Promise<Seen> {
    const person = await seePerson(row);
    if (isAnEnd(person)) return person;
    const { naturalPersonId = '', cursor } = row.state;
    const requestor = requestorOf(naturalPersonId, settings);
    const list = listIdentificationVerifications(client, requestor, { cursor, isFirstPageSentOnce: true });
    const isWanted = (one: IdentificationVerification) =>
      one.naturalPersonId === naturalPersonId && !isFailure(one.status ?? '');
    const search = await searchList(list, isWanted, untilTired());
    if (search === 'not found') return { of: 'SEARCH_ENDED' };
    if ('next' in search) return { of: 'SEARCH_CONTINUES', cursor: search.next };
    return { of: 'VERIFICATION_FOUND', identificationVerificationId: search.found.identificationVerificationId };
  }

  async function seeVerification(row: OnboardingRow): Promise<Seen> {
    const person = await seePerson(row);
    if (isAnEnd(person)) return person;
    const { naturalPersonId = '', identificationVerificationId = '' } = row.state;
    const requestor = requestorOf(naturalPersonId, settings);
    try {
      const { status, identificationUrl } = await getIdentificationVerification(
        client,
        requestor,
        identificationVerificationId,
      );
      return { of: 'VERIFICATION', status: status ?? undefined, identificationUrl: identificationUrl ?? undefined };
    } catch (error) {
      if (isNotFound(error)) return { of: 'VERIFICATION_MISSING' };
      throw error;
    }
  }
}

/** Nothing else needs to be known of a person that cannot be taken on, or that the platform does not have. */
function isAnEnd(seen: Seen): boolean {
  if (seen.of === 'PERSON_MISSING') return true;
  return seen.of === 'PERSON' && endingStatuses.some((status) => status === seen.status);
}

function isNotFound(error: unknown): boolean {
  return error instanceof PlatformHttpError && error.condition === 'NOT_FOUND';
}

/** That the platform does not say is a fact, too. @throws what is not the platform's */
function toUnread(error: unknown): Seen {
  if (!(error instanceof PlatformError)) throw error;
  const retryAfter = error instanceof PlatformHttpError ? error.retryAfter : undefined;
  return { of: 'UNREAD', why: failureOf(error), retryAfter };
}
