import type { Call } from '#functions/onboarding/state-machine/decisions.ts';
import type { Input } from '#functions/onboarding/state-machine/input.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import { type OnboardingSettings, requestorOf } from '#shared/onboarding/onboarding-settings.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { sendNewNaturalPerson } from '#shared/platform/resources/create-natural-person.ts';
import { createIdentificationVerification } from '#shared/platform/resources/identification-verifications.ts';
import { createNaturalPersonIdentification } from '#shared/platform/resources/natural-persons.ts';
import { type CallOutcome, outcomeOf } from './call-outcome.ts';

/** Makes a call at most once, soon after it was recorded, and returns its outcome. @throws any error that is not a `PlatformError` */
export type MakeCall = (call: Call, row: OnboardingRow) => Promise<CallOutcome>;

/** In milliseconds since the call was recorded: less than a create takes to settle, so that no create runs when the next is sent. */
const maxAgeMs = 20_000;

export function createMakeCall({
  client,
  settings,
  now,
}: {
  readonly client: PlatformClient;
  readonly settings: OnboardingSettings;
  readonly now: () => Date;
}): MakeCall {
  const makers: Readonly<Record<Call, (row: OnboardingRow, deadline: number) => Promise<Input>>> = {
    'create the person': async ({ data: { person } }, deadline) => {
      if (person === undefined) return deleted('person');
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
      if (identification === undefined) return deleted('identification');
      const requestor = requestorOf(naturalPersonId, settings);
      const options = { deadline, today: now() };
      await createNaturalPersonIdentification(client, requestor, naturalPersonId, identification, options);
      return { type: 'IdentificationAccepted' };
    },
  };

  return async (call, row) => {
    const { intentOn } = row.state;
    const time = now().getTime();
    const deadline = maxAgeMs - (intentOn === undefined ? 0 : time - Date.parse(intentOn));
    // The process was paused, so another run may have made the call by now.
    if (deadline <= 0) return { input: { type: 'CallNotTaken' } };
    try {
      return { input: await makers[call](row, deadline) };
    } catch (error) {
      return outcomeOf(error, call, row.state);
    }
  };
}

/** The data was deleted, as when the onboarding had ended before. */
function deleted(field: string): Input {
  return { type: 'CallRefused', reason: { code: 'REQUEST_DELETED', fields: [field] } };
}
