import type { Platform } from '#sandbox/platform/app/platform.ts';
import { maxSeconds } from '#sandbox/platform/core/settings.ts';
import type { SettingsChange } from '#sandbox/platform/core/settings-store.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { createKnownPersons, personsByExternalId, takeNextStep } from '#sandbox/scenario/onboarding/platform-part.ts';
import { type OnboardingSettings, onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';
import { needsCall, type OnboardingPlan, type PlannedPerson } from '#test/simulation/workload/plan-onboardings.ts';
import type { Partner } from './partner.ts';
import type { SimulatedPlatform } from './simulated-platform.ts';

/** What the platform does of itself: next to nothing, so that each person's persona decides. */
const manualSettings: SettingsChange = { checksAfter: maxSeconds, activationsAfter: maxSeconds, videoCallsAfter: null };

const minute = 60;

/**
 * Puts on the platform whom it knows before, and whoever acts for others.
 *
 * @returns how the partner onboards
 */
export function prepareOnboardings(core: Platform, { persons, requestor }: OnboardingPlan): OnboardingSettings {
  if (persons.length === 0) return onboardingSettings.parse({});
  core.settings.change({ ...manualSettings, acceptSelfBeforeActive: requestor === 'itself' });
  const representative =
    requestor === 'a representative' ? makeReadyPerson(core, {}, 'ACTIVE').naturalPersonId : undefined;
  if (representative !== undefined) core.settings.change({ representativeId: representative });
  createKnownPersons(core, persons);
  for (const { persona, request } of persons) if (persona.known?.isPurged === true) hide(core, request.externalId);
  return onboardingSettings.parse({
    requestor: representative ?? 'self',
    // Longer than something goes wrong: before that, a lie of the platform would take a hand to put right.
    deadlines: {
      FINDING_PERSON: 30 * minute,
      CREATING_VERIFICATION: 30 * minute,
      SENDING_IDENTIFICATION: 30 * minute,
      AWAITING_IDENTIFICATION_URL: 30 * minute,
    },
    // A call under way arrives 5 minutes late, of a process that had its whole time, and clocks are off.
    settle: { identification: 8 * minute },
  });
}

/** The externalId stays taken, and nobody shows it: as of a person that is purged. */
function hide({ persons }: Platform, externalId: string): void {
  for (const { naturalPersonId } of personsByExternalId({ persons }).get(externalId) ?? [])
    persons.update(naturalPersonId, { externalId: formerly(externalId) });
}

function formerly(externalId: string): string {
  return [...externalId].toReversed().join('');
}

/** The id of the person whose externalId this is, or was: as the platform's support knows it. */
export function findPersonId(core: Pick<Platform, 'persons'>, externalId: string): string | undefined {
  const persons = personsByExternalId(core);
  return (persons.get(externalId) ?? persons.get(formerly(externalId)))?.[0]?.naturalPersonId;
}

/** The platform reports the state of a person once more, in another text, and reports a customer account of the person. */
export function reportAgain(core: Platform, externalId: string, reportId: string): void {
  const [person] = personsByExternalId(core).get(externalId) ?? [];
  if (person === undefined) return;
  const { naturalPersonId, naturalPersonStatus: status, modifiedOn } = person;
  const again = { naturalPersonId, externalId, status, modifiedOn, notificationType: 'UPDATED', reportId };
  core.deliveries.notify('NATURAL_PERSON_NOTIFICATION', again);
  core.deliveries.notify('CUSTOMER_NOTIFICATION', { customerId: `customer-${reportId}`, naturalPersonId });
}

/** In shares: what the platform tells nobody of, nor keeps as undelivered. */
const lost = 0.2;

/** From now on, until they end. What was planned to be told is told all the same. */
export function beginLosses({ settings }: Platform): void {
  settings.change({ deliveriesLost: lost });
}

export function endLosses({ settings }: Platform): void {
  if (settings.read().deliveriesLost > 0) settings.change({ deliveriesLost: 0 });
}

export type PersonsDeps = {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly random: () => number;
  readonly platform: SimulatedPlatform;
  readonly plan: OnboardingPlan;
  readonly partner: Pick<Partner, 'hasRequested'>;
};

/** The platform's part, and the persons' own, in their onboarding: step by step, from now on. */
export function startPersonSteps({ scheduler, faults, random, platform, plan, partner }: PersonsDeps): void {
  if (plan.persons.length > 0 && faults.happens('delivery lost')) beginLosses(platform.core);
  for (const planned of plan.persons) {
    const continueSteps = async () => {
      if (partner.hasRequested(planned.request.externalId))
        await scheduler.runAs(platform.owner, () => advancePerson(platform.core, plan, planned));
      scheduler.after(500 + random() * planned.pace, continueSteps);
    };
    scheduler.after(random() * planned.pace, continueSteps);
  }
}

/** Even one of which the partner does not know yet. */
const anyCall = { awaited: undefined, isOffered: () => true };

function advancePerson(core: Platform, { requestor }: OnboardingPlan, { persona, request }: PlannedPerson): void {
  const [person] = personsByExternalId(core).get(request.externalId) ?? [];
  if (person === undefined) return;
  const { naturalPersonId, naturalPersonStatus: status } = person;
  const calls = core.verifications.of(naturalPersonId).length;
  const isIdentifiedElsewhere = requestor === 'itself, once ACTIVE' && needsCall(persona);
  if (isIdentifiedElsewhere && calls === 0 && status === 'CREATED')
    core.persons.changeStatus(naturalPersonId, 'PENDING');
  else takeNextStep(core, calls > 1 ? succeeding(persona) : persona, person, anyCall);
}

/** The second video call does. */
function succeeding({ videoCalls, ...persona }: PlannedPerson['persona']): PlannedPerson['persona'] {
  return { ...persona, activation: persona.activation.length > 0 ? persona.activation : ['ACTIVE'] };
}
