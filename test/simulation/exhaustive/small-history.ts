import { personas } from '#sandbox/scenario/onboarding/personas.ts';
import { createRequest } from '#sandbox/scenario/onboarding/plan.ts';
import { type FaultKind, personFaultKinds } from '#test/simulation/faults/fault-kinds.ts';
import { startAt } from '#test/simulation/history.ts';
import { noPersons, type OnboardingPlan, type PlannedPerson } from '#test/simulation/workload/plan-onboardings.ts';
import type { Action } from '#test/simulation/workload/plan-workload.ts';
import { planPersonWebhook, planWebhook } from './planned-webhooks.ts';
import { planSituation, situations } from './situations.ts';

/** The possible numbers of events of a small history. */
export const eventCounts = [1, 2, 3, 4] as const;

/** Small histories with more I/Os. Each fault is run separately, and pairs only of the kinds in `pairedInLonger`. */
export const longerHistories = ['onboarding', 'persons', 'backlog'] as const;

/** Kinds that only happen to persons and to lists of several pages. These are rare, and often occur together. */
export const pairedInLonger: readonly FaultKind[] = [
  ...personFaultKinds,
  'rejected cursor',
  'cursor expired',
  'repeated cursor',
  'list changing between pages',
  'batch partially refused',
];

export const historyNames = [...eventCounts, ...longerHistories, ...situations] as const;

/** The name of a small history: its number of events, or a word. */
export type HistoryName = (typeof historyNames)[number];

export type SmallHistory = {
  /** The persons that are onboarded. */
  readonly plan: OnboardingPlan;
  readonly actions: readonly Action[];
};

/** In milliseconds from the start. Earlier deliveries have ended by then, including their retries. */
const outage = { at: 10_000, duration: 15_000 };

export function planSmallHistory(name: HistoryName): SmallHistory {
  if (name === 'onboarding') return planOnboarding();
  if (name === 'persons') return { plan: noPersons, actions: planPersons() };
  if (name === 'backlog') return { plan: noPersons, actions: planBacklog() };
  return typeof name === 'number' ? { plan: noPersons, actions: planEvents(name) } : planSituation(name);
}

const endpointDown: Action = {
  at: outage.at,
  type: 'disturb',
  what: 'endpoint down',
  disturbance: 'endpoint down',
  duration: outage.duration,
};

/**
 * Plans a person that changes its status while the first webhook is processed, a repeated webhook, and a transfer webhook
 * during an outage of the endpoint, which the drain must fetch.
 *
 * @param events how many of these webhooks are planned
 */
function planEvents(events: number): readonly Action[] {
  const webhooks: readonly Action[] = [
    planPersonWebhook(0, 'CREATED'),
    planPersonWebhook(20, 'ACTIVE'),
    { ...planPersonWebhook(20, 'ACTIVE'), at: 40, what: 'a-person is ACTIVE, again' },
    planWebhook(outage.at + 1, 'TRANSFER_NOTIFICATION', { transferId: 'a-transfer', status: 'PENDING' }),
  ];
  return [...webhooks.slice(0, events), endpointDown];
}

/** Plans more webhooks during an outage of the endpoint than one page of the undelivered list holds. */
function planBacklog(): readonly Action[] {
  const transfers = ['a', 'b', 'c', 'd', 'e'].map((letter, index) =>
    planWebhook(outage.at + 1 + index, 'TRANSFER_NOTIFICATION', {
      transferId: `${letter}-transfer`,
      status: 'PENDING',
    }),
  );
  return [...transfers, endpointDown];
}

/**
 * Plans an onboarding over HTTP with an identification that the partner supplies. The person becomes ACTIVE, and then
 * reconciliation walks over the persons.
 */
function planOnboarding(): SmallHistory {
  const persona = personas['supplied'];
  if (persona === undefined) throw new RangeError('There is no persona "supplied": name another one of the scenario.');
  const person: PlannedPerson = {
    name: 'a person',
    persona,
    request: createRequest(0, persona, new Date(startAt)),
    isByEvent: false,
    partnerAction: 'nothing',
    actsAfter: 0,
    pace: 1_000,
  };
  const action = { at: 0, type: 'onboard', what: 'the partner requests an onboarding', person } as const;
  return { plan: { requestor: 'itself', persons: [person] }, actions: [action] };
}

/** Plans more persons than one page holds. One changes its status, and reconciliation walks over all. */
function planPersons(): readonly Action[] {
  const person = (at: number, name: string, does: 'is created' | 'changes status') =>
    ({ at, type: 'person', person: name, does, draw: 0, what: `${name} ${does}` }) as const;
  return [
    { at: 0, type: 'operate', does: 'schedule reconciliation', what: 'reconciliation is scheduled' },
    person(0, 'a-person', 'is created'),
    ...['b', 'c', 'd', 'e'].map((letter) => person(0, `${letter}-person`, 'is created')),
    person(20, 'a-person', 'changes status'),
  ];
}
