import { inflateRawSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { NaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import type { IdentificationVerification } from '#sandbox/platform/verifications/identification-verification-schema.ts';
import { personsByExternalId } from '#sandbox/scenario/onboarding/platform-part.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { isErased, readOnboarding } from '#shared/onboarding/onboarding-row.ts';
import { isIdentificationOpen } from '#shared/onboarding/onboarding-state.ts';
import { endingStatuses, type OnboardingStep, onboardingSteps, stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { type PartnerAnswer, type PartnerOperation, updatedProfession } from '#test/simulation/system/partner.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import type { PlannedPerson } from '#test/simulation/workload/plan-onboardings.ts';
import type { BrokenPromise, FinalCheck } from './promise.ts';
import { readOnce } from './read-once.ts';

/** Of a verification. */
const openStatuses: ReadonlySet<string> = new Set(['RECEIVED', 'PENDING']);

/** Reads the row of an onboarding. */
export const readOnboardingOnce = readOnce(readOnboarding);

/** The row of an onboarding; undefined without one. */
export function rowOf({ cloud }: SimulatedSystem, externalId: string) {
  const item = cloud.dynamodb.table('onboardings').get({ onboardingId: { S: onboardingIdOf(externalId) } });
  return item && readOnboardingOnce(item);
}

/** The persons whose onboarding was requested. A minimised history leaves some out. */
export function requested({ plan, partner }: SimulatedSystem): readonly PlannedPerson[] {
  return plan.persons.filter(({ request }) => partner.hasRequested(request.externalId));
}

export function answersTo(
  { partner }: SimulatedSystem,
  { request }: PlannedPerson,
  operation: PartnerOperation,
): readonly PartnerAnswer[] {
  return partner
    .answers()
    .filter((answer) => answer.externalId === request.externalId && answer.operation === operation);
}

const was = (system: SimulatedSystem, planned: PlannedPerson, operation: PartnerOperation, status: number) =>
  answersTo(system, planned, operation).some((answer) => answer.status === status);

export const isErasedPerson = (system: SimulatedSystem, planned: PlannedPerson) => was(system, planned, 'erase', 204);

/** Promise 9: which onboarding is not where it must be yet; undefined once each is. */
export function findUnfinishedOnboarding(system: SimulatedSystem): string | undefined {
  const { plan, partner, cloud } = system;
  if (!partner.isIdle()) return 'the partner waits for an answer';
  if (plan.persons.length === 0) return undefined;
  const moving = requested(system).find((planned) => {
    const row = rowOf(system, planned.request.externalId);
    if (row === undefined || isErased(row)) return false;
    if (row.outbox.length > 0 || isStoppedByPastFailure(system, planned)) return true;
    return !(stepRow(row.state.step).final || row.state.step === endOf(system, planned).step);
  });
  if (moving !== undefined) return `the onboarding of ${moving.name} is ${stepOf(system, moving)}`;
  return cloud.sqs.queue('onboarding').all().length > 0 ? 'the queue of onboardings is not empty' : undefined;
}

/** Whether a past failure stopped the onboarding, so that an operator must retry it. */
export function isStoppedByPastFailure(system: SimulatedSystem, planned: PlannedPerson): boolean {
  const row = rowOf(system, planned.request.externalId);
  if (system.longFailure === undefined || row === undefined || isErased(row) || row.state.step !== 'STOPPED')
    return false;
  const { step, reason } = endOf(system, planned);
  return step !== 'STOPPED' || row.state.reasons[0]?.code !== reason;
}

/** The step of an onboarding with its reasons. */
function stepOf(system: SimulatedSystem, { request }: PlannedPerson): string {
  const row = rowOf(system, request.externalId);
  if (row === undefined) return 'not there';
  return isErased(row) ? 'erased' : [row.state.step, ...row.state.reasons.map(({ code }) => code)].join(' ');
}

type End = { readonly step: OnboardingStep; readonly reason: string | undefined };

/** The expected final step, derived from the partner's actions and the state of the platform. */
function endOf(system: SimulatedSystem, planned: PlannedPerson): End {
  const { persona, request, partnerAction } = planned;
  if (was(system, planned, 'cancel', 202) && partnerAction === 'cancels it')
    return { step: 'CANCELED', reason: undefined };
  const person = personOn(system, request.externalId);
  const calls = person === undefined ? 0 : system.platform.core.verifications.of(person.naturalPersonId).length;
  const isSecondCall = persona.videoCalls !== undefined && calls > 1;
  return isSecondCall ? { step: 'COMPLETED', reason: undefined } : { step: persona.ends, reason: persona.reason };
}

/** The platform's person with this externalId. */
export function personOn({ platform }: SimulatedSystem, externalId: string): NaturalPerson | undefined {
  return personsByExternalId(platform.core).get(externalId)?.[0];
}

/** Promises 6 and 9: each onboarding has its expected final step and exactly one person. */
export const checkOnboardings: FinalCheck = (system) => {
  for (const planned of requested(system)) {
    system.judged(6);
    system.judged(9);
    const broken = checkPersons(system, planned) ?? checkEnd(system, planned) ?? checkAnswers(system, planned);
    if (broken !== undefined) return broken;
  }
  return undefined;
};

/** Each externalId has one person, who is identified once. */
function checkPersons(system: SimulatedSystem, { name, request, persona }: PlannedPerson): BrokenPromise | undefined {
  const persons = personsByExternalId(system.platform.core).get(request.externalId) ?? [];
  if (persons.length > 1) return { promise: 6, what: `The platform has ${persons.length} persons for ${name}.` };
  const number = 'documentNumber' in request.identification ? request.identification.documentNumber : undefined;
  const times = persons.flatMap((person) =>
    person.naturalPersonIdentifications.filter((one) => one.documentNumber === number),
  ).length;
  if (number !== undefined && times > 1) return { promise: 6, what: `${name} was identified ${times} times.` };
  const isIdentified = persona.mode !== 'supplied' || persona.ends !== 'COMPLETED' || times === 1;
  const row = rowOf(system, request.externalId);
  // One that completes before its identification says so.
  const isOver =
    row !== undefined && !isErased(row) && row.state.step === 'COMPLETED' && !isIdentificationOpen(row.state);
  return isOver && !isIdentified ? { promise: 6, what: `${name} is COMPLETED without an identification.` } : undefined;
}

function checkEnd(system: SimulatedSystem, planned: PlannedPerson): BrokenPromise | undefined {
  const { name, request, persona } = planned;
  const row = rowOf(system, request.externalId);
  if (isErasedPerson(system, planned)) return undefined;
  if (row === undefined || isErased(row)) return { promise: 6, what: `The onboarding of ${name} does not exist.` };
  const { step, reasons, naturalPersonId } = row.state;
  const end = endOf(system, planned);
  // Codes of the platform come by webhooks, which may be lost.
  const isOfPlatform = endingStatuses.some((status) => status === step);
  const isAsMust = step === end.step && (isOfPlatform || reasons[0]?.code === end.reason);
  if (!isAsMust)
    return {
      promise: 9,
      what: `The onboarding of ${name} is ${step} ${reasons[0]?.code ?? ''}, and is expected to be ${end.step} ${end.reason ?? ''}.`,
    };
  const person = personOn(system, request.externalId);
  if (step === 'COMPLETED' && person?.naturalPersonStatus !== persona.status && persona.videoCalls === undefined)
    return { promise: 6, what: `${name} is COMPLETED, and ${person?.naturalPersonStatus} on the platform.` };
  if (was(system, planned, 'update', 202) && person?.profession !== updatedProfession)
    return { promise: 6, what: `An update of ${name} was accepted, and the platform does not have it.` };
  if (naturalPersonId !== undefined && naturalPersonId !== person?.naturalPersonId)
    return { promise: 6, what: `The onboarding of ${name} has another person than the platform.` };
  return undefined;
}

/** The allowed response statuses of each operation. */
const allowed: Readonly<Record<PartnerOperation, readonly number[]>> = {
  request: [202, 409],
  'request differing': [202, 409],
  cancel: [202, 409],
  retry: [202, 409],
  update: [202, 409],
  erase: [202, 204, 409],
};

function checkAnswers(system: SimulatedSystem, planned: PlannedPerson): BrokenPromise | undefined {
  const ofPerson = system.partner.answers().filter(({ externalId }) => externalId === planned.request.externalId);
  const erasures = ofPerson.filter(({ operation }) => operation === 'erase');
  const erased = erasures.find(({ status }) => status === 204);
  const wrong = ofPerson.find(({ operation, status, askedAt, answeredAt }) => {
    if (erased !== undefined && askedAt > erased.answeredAt) return status !== 410;
    // A response during an erasure can already reflect the erasure.
    const isDuringErasure = erasures.some(({ firstAskedAt }) => answeredAt > firstAskedAt);
    return !allowed[operation].includes(status) && !(isDuringErasure && [409, 410].includes(status));
  });
  if (wrong !== undefined)
    return { promise: 6, what: `The partner receives ${wrong.status} for "${wrong.operation}" of ${planned.name}.` };
  const withoutEffect = ofPerson.find(doesNothing);
  return (
    withoutEffect && {
      promise: 9,
      what: `The partner receives ${withoutEffect.status} for "${withoutEffect.operation}", which has no effect: ${withoutEffect.body}`,
    }
  );
}

/** Whether an accepted operation has no effect, because the onboarding has ended or makes no further call. */
function doesNothing({ operation, status, body }: PartnerAnswer): boolean {
  if (status !== 202 || (operation !== 'request' && operation !== 'request differing' && operation !== 'retry'))
    return false;
  const { step } = JSON.parse(body);
  if (operation === 'retry') return step === 'AWAITING_REQUESTOR';
  return step !== 'COMPLETED' && onboardingSteps.some((one) => one.final && one.step === step);
}

/** Promise 2: each step is published with the same content each time. */
export const checkSteps: FinalCheck = (system) => {
  const details = new Map<string, string>();
  for (const { detailType, detail } of system.cloud.eventBridge.published()) {
    const { onboardingId, sequence } = JSON.parse(detail);
    if (onboardingId === undefined || sequence === undefined) continue;
    const key = `${onboardingId} ${sequence} ${detailType}`;
    if ((details.get(key) ?? detail) !== detail)
      return { promise: 2, what: `${detailType} ${sequence} was published with different contents.` };
    details.set(key, detail);
  }
  const published = [...details.values()].map((detail) => JSON.parse(detail));
  const unpublished = requested(system).find((planned) => {
    const row = rowOf(system, planned.request.externalId);
    if (row === undefined || isErased(row)) return false;
    const { step, since } = row.state;
    return !published.some((one) => one.onboardingId === row.onboardingId && one.step === step && one.since === since);
  });
  return (
    unpublished && {
      promise: 2,
      what: `The current step of the onboarding of ${unpublished.name} was never published.`,
    }
  );
};

/** An item as text, with its compressed attributes inflated. */
export function textOf(item: Readonly<Record<string, AttributeValue>>): string {
  const bytes = Object.values(item).flatMap(({ B }) => (B === undefined ? [] : [inflateRawSync(B).toString()]));
  return [JSON.stringify(item), ...bytes].join('\n');
}

/** Promise 6: at most one open verification per onboarding at any time. @param verifications all verifications of a person */
export function checkVerifications(verifications: readonly IdentificationVerification[]): BrokenPromise | undefined {
  const running = verifications.filter(({ status }) => openStatuses.has(status));
  if (running.length <= 1) return undefined;
  return { promise: 6, what: `${running.length} verifications of ${running[0]?.naturalPersonId} are open.` };
}

/** Promise 9: an onboarding that is not at its end, or not published, is due at some time. Otherwise only a message would move it. */
export function findNeverDue({ cloud, judged }: SimulatedSystem): BrokenPromise | undefined {
  const items = cloud.dynamodb.table('onboardings').all();
  judged(9, items.length);
  const isLost = items.some((item) => {
    const row = readOnboardingOnce(item);
    if (isErased(row) || item['dueOn'] !== undefined) return false;
    return !stepRow(row.state.step).final || row.outbox.length > 0;
  });
  return isLost ? { promise: 9, what: 'An onboarding waits, and is never due.' } : undefined;
}
