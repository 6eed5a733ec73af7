import type { HistoryName } from '#test/simulation/exhaustive/small-history.ts';
import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import type { PlantedBug } from './planted-bug.ts';

/** A bug that enumerated histories catch and random ones rarely do. */
export type SituationBug = PlantedBug & {
  readonly history: HistoryName;
  /** The kinds of faults that catch the bug, one fault of each. Empty when the history needs no fault. */
  readonly faults: readonly [] | readonly [FaultKind] | readonly [FaultKind, FaultKind];
};

/** The enumerated histories with the given name and kinds of faults must catch each bug. */
export const situationBugs: readonly SituationBug[] = [
  {
    name: 'the move of an event out of the state is not awaited',
    file: 'shared/entities/entity-store.ts',
    find: 'for (const entry of moved) await table.moveEvent(key, entry);',
    replace: 'for (const entry of moved) table.moveEvent(key, entry).catch(() => undefined);',
    breaks: [2, 3],
    history: 'reports',
    faults: ['lost request'],
  },
  {
    name: 'the events are erased before the keys that link late events to the person',
    file: 'shared/persons/person-events.ts',
    find: 'if (left.length === 0) return true;',
    replace: 'return true;',
    breaks: [4, 8],
    history: 'erasure',
    faults: ['slow I/O'],
  },
  {
    name: 'a repeated commit does not repair the quarantine mark',
    file: 'shared/events/event-store.ts',
    find: 'if (isRepaired) await quarantine(eventId, quarantineReason);',
    replace: '',
    breaks: [3],
    history: 'release',
    faults: ['crash after an I/O'],
  },
  {
    name: 'a retry after a refused requestor makes no call',
    file: 'functions/onboarding/api/operate-onboarding.ts',
    find: "if (accepts(state.step, 'Resumed') && !accepts(state.step, 'Retried'))",
    replace: "if (accepts(state.step, 'Resumed'))",
    breaks: [9],
    history: 'retry',
    faults: [],
  },
  {
    name: 'an update that the platform did not accept is answered as accepted',
    file: 'functions/onboarding/update-person/update-person.ts',
    find: 'if (!(error instanceof PlatformError) || error.isRetryable || isOutcomeUnknown(error)) throw error;',
    replace:
      'if (!(error instanceof PlatformError) || error.isRetryable || isOutcomeUnknown(error)) return { statusCode: 202 };',
    breaks: [6],
    history: 'update',
    faults: ['lost request'],
  },
  {
    name: 'an erasure skips persons that are known by externalId only',
    file: 'shared/persons/person-events.ts',
    find: 'onboardingIds: [...onboardingIds].filter(isNew) };',
    replace: 'onboardingIds: [] };',
    breaks: [4, 8, 9],
    history: 'adoption',
    faults: ['webhook without a timestamp'],
  },
  {
    name: 'a webhook that arrives during the erasure of its person is kept',
    file: 'functions/webhook-ingest/store/apply-event.ts',
    find: 'const tombstones = [onboardingKeys.erasedOn, onboardingKeys.erasingOn];',
    replace: 'const tombstones = [onboardingKeys.erasedOn];',
    breaks: [8],
    history: 'adoption',
    faults: ['crash before an I/O'],
  },
  {
    name: 'an onboarding is restarted although its person is being erased',
    file: 'functions/onboarding/accept/accept-request.ts',
    find: "if (row.erasingOn !== undefined) return refuse('BEING_ERASED', [], request.externalId);",
    replace: '',
    breaks: [6, 8, 9],
    history: 'cancellation',
    faults: ['slow I/O'],
  },
  {
    name: 'a second rotation begins while the first is under way',
    file: 'functions/webhook-ingest/register/decide-rotation.ts',
    find: 'if (previous === undefined) {',
    replace: 'if (previous === undefined || rules.isAsked) {',
    breaks: [1],
    history: 'rotation',
    faults: ['slow I/O'],
  },
  {
    name: 'a refused cursor ends the list of persons',
    file: 'functions/retry-undelivered/reconcile/platform-walk.ts',
    find: 'await run.journal.save({ ...progress, walk: startPersonsOver(walkOf(progress, now())) });',
    replace: "await run.journal.save({ ...progress, walk: { ...walkOf(progress), phase: 'entities' } });",
    breaks: [12],
    history: 'persons',
    faults: ['webhook lost', 'rejected cursor of persons'],
  },
];
