import type { PlantedBug } from './planted-bug.ts';

const applyEvent = 'functions/webhook-ingest/store/apply-event.ts';
const updatePerson = 'functions/onboarding/update-person/update-person.ts';

/** Bugs in the effect of events and of requests of the partner. */
export const effectBugs: readonly PlantedBug[] = [
  {
    name: 'an event without an entity is not published',
    file: applyEvent,
    find: 'if (placed === undefined) return bus.publish([eventReceived({ eventId, eventType, receivedOn })]);',
    replace: 'if (placed === undefined) return undefined;',
    breaks: [3],
  },
  {
    name: 'an event in quarantine is not published',
    file: applyEvent,
    find: 'if (reason !== undefined) return bus.publish([eventQuarantined({ eventId, eventType, receivedOn, reason })]);',
    replace: 'if (reason !== undefined) return undefined;',
    breaks: [3],
  },
  {
    name: 'an unconfirmed DynamoDB write counts as refused',
    file: 'shared/aws/conditional-write.ts',
    find: 'throw error;',
    replace: 'return undefined;',
    breaks: [2, 3, 4, 5, 6, 8, 9],
  },
  {
    name: 'two changes of an entity have the same sequence',
    file: 'shared/entities/plan-merge.ts',
    find: 'from?.known, known, version + 1);',
    replace: 'from?.known, known, Math.max(1, version));',
    breaks: [2, 4],
  },
  {
    name: 'an update is answered before the platform accepts it',
    file: updatePerson,
    find: 'await updateNaturalPerson(client, requestorOf(naturalPersonId, settings), naturalPersonId, sent, options);',
    replace:
      'updateNaturalPerson(client, requestorOf(naturalPersonId, settings), naturalPersonId, sent, options).catch(() => undefined);',
    breaks: [6],
  },
  {
    name: 'a token that expires during a call is used',
    file: 'shared/platform/token/token-cache.ts',
    find: 'const margin = 60_000;',
    replace: 'const margin = 0;',
    breaks: [7],
  },
];
