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

/** Turns off the platform's automatic steps, so that each person's persona decides. */
const manualSettings: SettingsChange = { checksAfter: maxSeconds, activationsAfter: maxSeconds, videoCallsAfter: null };

const minute = 60;

/**
 * Creates the persons that the platform knows before their onboarding, and the representative.
 *
 * @returns the onboarding settings of the partner
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
    // Longer than faults last: with a shorter deadline, a false response of the platform would need an operator.
    deadlines: {
      FINDING_PERSON: 30 * minute,
      CREATING_VERIFICATION: 30 * minute,
      SENDING_IDENTIFICATION: 30 * minute,
      AWAITING_IDENTIFICATION_URL: 30 * minute,
    },
    // A call can arrive 5 minutes late, from a process that used its whole timeout, with clock skew.
    settle: { identification: 8 * minute },
  });
}

/** Hides a person as if purged: the platform does not show the externalId, and refuses it for new persons. */
function hide({ persons }: Platform, externalId: string): void {
  for (const { naturalPersonId } of personsByExternalId({ persons }).get(externalId) ?? [])
    persons.update(naturalPersonId, { externalId: formerly(externalId) });
}

function formerly(externalId: string): string {
  return [...externalId].toReversed().join('');
}

/** The id of the person that has or had this externalId, as the platform's support looks it up. */
export function findPersonId(core: Pick<Platform, 'persons'>, externalId: string): string | undefined {
  const persons = personsByExternalId(core);
  return (persons.get(externalId) ?? persons.get(formerly(externalId)))?.[0]?.naturalPersonId;
}

/** Reports the state of a person again with another body, and reports a customer account of the person. */
export function reportAgain(core: Platform, externalId: string, reportId: string): void {
  const [person] = personsByExternalId(core).get(externalId) ?? [];
  if (person === undefined) return;
  const { naturalPersonId, naturalPersonStatus: status, modifiedOn } = person;
  const again = { naturalPersonId, externalId, status, modifiedOn, notificationType: 'UPDATED', reportId };
  core.deliveries.notify('NATURAL_PERSON_NOTIFICATION', again);
  core.deliveries.notify('CUSTOMER_NOTIFICATION', { customerId: `customer-${reportId}`, naturalPersonId });
}

/** The share of webhooks that are neither delivered nor listed as undelivered. */
const lost = 0.2;

/** Starts to lose webhooks. Planned webhooks are never lost. */
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

/** Starts the steps of the platform and of the persons in their onboardings. */
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

/** Accepts any video call, even one that the partner does not know yet. */
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

/** A persona whose second video call succeeds. */
function succeeding({ videoCalls, ...persona }: PlannedPerson['persona']): PlannedPerson['persona'] {
  return { ...persona, activation: persona.activation.length > 0 ? persona.activation : ['ACTIVE'] };
}
