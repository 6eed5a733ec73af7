import { personas } from '#sandbox/scenario/onboarding/personas.ts';
import { createRequest } from '#sandbox/scenario/onboarding/plan.ts';
import { type FaultKind, personFaultKinds } from '#test/simulation/faults/fault-kinds.ts';
import { startAt } from '#test/simulation/history.ts';
import { noPersons, type OnboardingPlan, type PlannedPerson } from '#test/simulation/workload/plan-onboardings.ts';
import type { Action } from '#test/simulation/workload/plan-workload.ts';
import { planPersonWebhook, planWebhook } from './planned-webhooks.ts';
import { planSituation, situations } from './situations.ts';

/** How many events a small history can have. */
export const eventCounts = [1, 2, 3, 4] as const;

/** Small histories with more I/Os, of which every fault is tried by itself, and pairs only of `pairedInLonger`. */
export const longerHistories = ['onboarding', 'persons', 'backlog'] as const;

/** What befalls nothing but persons, and lists of several pages: they are seldom, and one often takes another one. */
export const pairedInLonger: readonly FaultKind[] = [
  ...personFaultKinds,
  'refused cursor',
  'cursor forgotten',
  'repeated cursor',
  'list changing between pages',
  'batch refused in part',
];

export const historyNames = [...eventCounts, ...longerHistories, ...situations] as const;

/** A small history: of so many events, or of what it has besides. */
export type HistoryName = (typeof historyNames)[number];

export type SmallHistory = {
  /** Who is onboarded. */
  readonly plan: OnboardingPlan;
  readonly actions: readonly Action[];
};

/** In milliseconds from the beginning: the deliveries before it, attempts included, have come to an end by then. */
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
 * A person is created and changes its status while that is taken in; the change is told twice; a transfer is told while
 * nobody answers, so that the drain must fetch it.
 *
 * @param events the first so many of them
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

/** More is told while nobody answers than is on one page of the list of what is undelivered. */
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
 * Somebody is requested over HTTP, created, checked, identified by what the partner supplies, and becomes ACTIVE; then
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

/** Persons that the platform has, more than are on one page: one changes its status, and reconciliation walks over all. */
function planPersons(): readonly Action[] {
  const person = (at: number, name: string, does: 'is taken in' | 'moves on') =>
    ({ at, type: 'person', person: name, does, draw: 0, what: `${name} ${does}` }) as const;
  return [
    { at: 0, type: 'operate', does: 'schedule reconciliation', what: 'reconciliation is scheduled' },
    person(0, 'a-person', 'is taken in'),
    ...['b', 'c', 'd', 'e'].map((letter) => person(0, `${letter}-person`, 'is taken in')),
    person(20, 'a-person', 'moves on'),
  ];
}
