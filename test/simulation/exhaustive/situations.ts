import { personas } from '#sandbox/scenario/onboarding/personas.ts';
import { createRequest } from '#sandbox/scenario/onboarding/plan.ts';
import { startAt } from '#test/simulation/history.ts';
import { newEventType } from '#test/simulation/system/platform-app.ts';
import { noPersons, type OnboardingPlan, type PlannedPerson } from '#test/simulation/workload/plan-onboardings.ts';
import type { Action } from '#test/simulation/workload/plan-workload.ts';
import { planPersonWebhook, planWebhook } from './planned-webhooks.ts';

/** Small histories of one situation each. A fault at the right I/O shows defects that random histories rarely show. */
export const situations = [
  'reports',
  'erasure',
  'cancellation',
  'release',
  'adoption',
  'update',
  'retry',
  'rotation',
] as const;

export type Situation = (typeof situations)[number];

type PlannedSituation = { readonly plan: OnboardingPlan; readonly actions: readonly Action[] };

/** In milliseconds. */
const second = 1_000;

const planners: Readonly<Record<Situation, () => PlannedSituation>> = {
  reports: () => ({ plan: noPersons, actions: planReports() }),
  erasure: () => ({ plan: noPersons, actions: planErasure() }),
  cancellation: planCancellation,
  release: () => ({ plan: noPersons, actions: planRelease() }),
  adoption: planAdoption,
  update: () =>
    planOnboarded({ persona: 'adopted, ACTIVE', partnerAction: 'updates the person', actsAfter: 20 * second }),
  retry: planRetry,
  rotation: () => ({ plan: noPersons, actions: planRotation() }),
};

export function planSituation(name: Situation): PlannedSituation {
  return planners[name]();
}

/** Two more reports about one transfer than the state of an entity holds events. */
function planReports(): readonly Action[] {
  return Array.from({ length: 10 }, (_, index) => {
    const status = index === 9 ? 'PROCESSED' : 'PENDING';
    return planWebhook(index * 300, 'TRANSFER_NOTIFICATION', { transferId: 'a-transfer', status });
  });
}

/**
 * Plans the erasure of a person. A report without a change comes shortly before, and an event without an entity that names the
 * person shortly after. A slow I/O makes both overlap with the erasure.
 */
function planErasure(): readonly Action[] {
  const { body, ...active } = planPersonWebhook(20, 'ACTIVE');
  const otherBody = JSON.stringify({ ...JSON.parse(body), notificationType: 'UPDATED' });
  const customer = { customerId: 'a-customer', status: 'CHANGED', naturalPersonId: 'a-person' };
  return [
    planPersonWebhook(0, 'CREATED'),
    { ...active, body },
    { ...active, at: 500, what: 'a-person is ACTIVE, with another body', body: otherBody },
    {
      at: second,
      type: 'erase',
      what: 'the partner erases a-person',
      externalId: 'a-partner-id',
      naturalPersonId: 'a-person',
    },
    planWebhook(3 * second, 'CUSTOMER_NOTIFICATION', customer),
  ];
}

type Onboarded = Pick<PlannedPerson, 'partnerAction' | 'actsAfter'> & {
  /** The name of the persona. */
  readonly persona: string;
  readonly number?: number;
  readonly pace?: number;
};

function planPerson({ persona: name, number = 0, partnerAction, actsAfter, pace = second }: Onboarded): PlannedPerson {
  const persona = personas[name];
  if (persona === undefined) throw new RangeError(`There is no persona "${name}": name another one of the scenario.`);
  const request = createRequest(number, persona, new Date(startAt));
  return { name: `person ${number}`, persona, request, isByEvent: false, partnerAction, actsAfter, pace };
}

/** Plans the onboarding of a person with an action of the partner. */
function planOnboarded(onboarded: Onboarded): PlannedSituation {
  const person = planPerson(onboarded);
  return { plan: { requestor: 'itself', persons: [person] }, actions: [onboard(0, person)] };
}

function onboard(at: number, person: PlannedPerson): Action {
  return { at, type: 'onboard', what: `the partner requests the onboarding of ${person.name}`, person };
}

/** Plans a cancel before the person is known, and a request with other data during the erasure of the person. */
function planCancellation(): PlannedSituation {
  const partnerAction = 'cancels it, and requests it during the erasure';
  return planOnboarded({ persona: 'not identified by us', partnerAction, actsAfter: 0 });
}

/**
 * Plans two persons that the platform knows before their onboardings. The onboardings are canceled immediately, so that the
 * erasures only know the externalIds. The platform reports about one person before the erasure, and about the other one after it. A slow I/O
 * makes that report overlap with the erasure.
 */
function planAdoption(): PlannedSituation {
  const partnerAction = 'cancels it, and requests it during the erasure';
  const persons = [0, 1].map((number) =>
    planPerson({ persona: 'adopted, ACTIVE', number, partnerAction, actsAfter: 0 }),
  );
  const report = (at: number, { name, request: { externalId } }: PlannedPerson): Action => ({
    at,
    type: 'report',
    what: `the platform reports about ${name}`,
    externalId,
  });
  return {
    plan: { requestor: 'itself', persons },
    actions: [
      ...persons.slice(0, 1).map((person) => report(0, person)),
      ...persons.map((person) => onboard(second, person)),
      ...persons.slice(1).map((person) => report(10 * second, person)),
    ],
  };
}

/** Plans a retry before the person is ACTIVE. Until then, the platform refuses the person as requestor. */
function planRetry(): PlannedSituation {
  const pace = 10 * second;
  const person = planPerson({ persona: 'by video', partnerAction: 'retries it', actsAfter: 10 * second, pace });
  return { plan: { requestor: 'itself, once ACTIVE', persons: [person] }, actions: [onboard(0, person)] };
}

/** Plans two concurrent rotations of the webhook secret, with webhooks throughout. */
function planRotation(): readonly Action[] {
  const rotate = (at: number): Action => ({
    at,
    type: 'operate',
    does: 'rotate',
    what: 'an operator rotates the secret',
  });
  const reports = Array.from({ length: 12 }, (_, index) =>
    planWebhook(second + index * 2 * second, 'TRANSFER_NOTIFICATION', { transferId: 'a-transfer', status: 'PENDING' }),
  );
  return [rotate(0), rotate(3 * second), ...reports];
}

/** Plans a release with a new event type that is rolled back during the processing of such a webhook, and deployed again. */
function planRelease(): readonly Action[] {
  const operate = (at: number, does: 'release' | 'roll the release back') =>
    ({ at, type: 'operate', does, what: `an operator performs "${does}"` }) as const;
  return [
    operate(0, 'release'),
    planWebhook(10, newEventType, { orderId: 'a-new-order', status: 'RECEIVED' }),
    operate(second, 'roll the release back'),
    operate(400 * second, 'release'),
  ];
}
