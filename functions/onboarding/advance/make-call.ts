import { requestorOf } from '#functions/onboarding/observe/observe.ts';
import type { Call } from '#functions/onboarding/state-machine/decisions.ts';
import type { Occurrence } from '#functions/onboarding/state-machine/observation.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { sendNewNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import { createIdentificationVerification } from '#shared/platform/resources/identification-verifications.ts';
import { createNaturalPersonIdentification } from '#shared/platform/resources/natural-persons.ts';
import { type CallOutcome, outcomeOf } from './call-outcome.ts';

export type MakeCallDeps = {
  readonly client: PlatformClient;
  readonly settings: OnboardingSettings;
  readonly now: () => Date;
};

/**
 * Makes a call once, soon after it was noted or not at all, and says what came of it. @throws what is not the platform's
 */
export type MakeCall = (call: Call, row: OnboardingRow) => Promise<CallOutcome>;

/** In milliseconds, from when it was noted: less than a create takes to settle, so that none is under way when the next is sent. */
const longest = 20_000;

export function createMakeCall({ client, settings, now }: MakeCallDeps): MakeCall {
  const makers: Readonly<Record<Call, (row: OnboardingRow, deadline: number) => Promise<Occurrence>>> = {
    'create the person': async ({ data: { person } }, deadline) => {
      if (person === undefined) return gone('person');
      const naturalPersonId = await sendNewNaturalPerson(client, person, { deadline });
      return { type: 'PersonCreated', naturalPersonId };
    },
    'create the verification': async ({ state: { naturalPersonId = '' }, data: { redirectUrl } }, deadline) => {
      const { identificationVerificationId } = await createIdentificationVerification(
        client,
        requestorOf(naturalPersonId, settings),
        {
          naturalPersonId,
          externalVerifier: settings.externalVerifier,
          identificationType: 'VIDEO_IDENT',
          ...(redirectUrl !== undefined && { redirectUrl }),
        },
        { deadline },
      );
      return { type: 'VerificationCreated', identificationVerificationId };
    },
    'send the identification': async ({ state: { naturalPersonId = '' }, data: { identification } }, deadline) => {
      if (identification === undefined) return gone('identification');
      const requestor = requestorOf(naturalPersonId, settings);
      const options = { deadline, today: now() };
      await createNaturalPersonIdentification(client, requestor, naturalPersonId, identification, options);
      return { type: 'IdentificationAccepted' };
    },
  };

  return async (call, row) => {
    const { intentOn } = row.state;
    const time = now().getTime();
    const deadline = longest - (intentOn === undefined ? 0 : time - Date.parse(intentOn));
    // As of a process that slept since: another one may have made the call by now.
    if (deadline <= 0) return { occurrence: { type: 'CallNotTaken' } };
    try {
      return { occurrence: await makers[call](row, deadline) };
    } catch (error) {
      return outcomeOf(error, call, row.state);
    }
  };
}

/** The request was deleted, as of an onboarding that had ended before. */
function gone(field: string): Occurrence {
  return { type: 'CallRefused', reason: { code: 'REQUEST_DELETED', fields: [field] } };
}
