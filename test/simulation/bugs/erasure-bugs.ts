import type { PlantedBug } from './planted-bug.ts';

const index = 'shared/persons/commit-event.ts';
const claim = 'functions/onboarding/erase-person/claim-onboarding.ts';

/** Bugs in the erasure of a person during concurrent writes. */
export const erasureBugs: readonly PlantedBug[] = [
  {
    name: 'an onboarding that restarts during an erasure is erased',
    file: claim,
    find: ': await store.save({ ...row, version: row.version + 1, ...erasing });',
    replace: ': true;',
    breaks: [6, 8, 9],
  },
  {
    name: 'an event is not in the index of persons',
    file: index,
    find: 'await personIndex.add({ eventId, eventType, ...statement }, names);',
    replace: '',
    breaks: [8],
  },
  {
    name: 'two bodies that differ in a duplicate field count as one event',
    file: 'shared/events/json-text.ts',
    find: 'const exact = shape.isExact && !hasDuplicateKeys;',
    replace: 'const exact = shape.isExact;',
    breaks: [3],
  },
  {
    name: 'an order with the externalId of an erased person is erased',
    file: 'shared/events/subject/subject-of.ts',
    find: "=== 'kept') return business;\n  const place =",
    replace:
      "=== 'kept') return { of: 'whom it names', externalIds: externalIdsOfPersons(readJsonText(body).value, { wrappers: [] }) };\n  const place =",
    breaks: [8],
  },
  {
    name: 'an onboarding is restarted although its person is being erased',
    file: 'functions/onboarding/accept/accept-request.ts',
    find: "if (row.erasingOn !== undefined) return refuse('BEING_ERASED', [], request.externalId);",
    replace: '',
    breaks: [6, 8, 9],
  },
];
