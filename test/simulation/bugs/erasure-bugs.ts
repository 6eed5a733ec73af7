import type { PlantedBug } from './planted-bug.ts';

const erase = 'functions/onboarding/erase-person.ts';
const claim = 'functions/onboarding/claim-onboarding.ts';

/** In what erases a person, while others write. */
export const erasureBugs: readonly PlantedBug[] = [
  {
    name: 'an onboarding is restarted although its person is being erased',
    file: 'functions/onboarding/request.ts',
    find: "if (row.erasingOn !== undefined) return refuse('BEING_ERASED', [], request.externalId);",
    replace: '',
    breaks: [6, 8, 9],
  },
  {
    name: 'an onboarding that was restarted during the erasure is erased',
    file: claim,
    find: 'return store.save({ ...row, version: row.version + 1, erasingOn: now().toISOString() });',
    replace: 'return true;',
    breaks: [6, 8, 9],
  },
  {
    name: 'the events are erased before what leads late events to the person',
    file: erase,
    find: `for (const key of keys) await erase(key);
    const names = { externalId, ids: keys.map(({ id }) => id) };
    const { unnamed, continueFrom } = await eraseEvents(names, named.continueFrom, until);`,
    replace: `const names = { externalId, ids: keys.map(({ id }) => id) };
    const { unnamed, continueFrom } = await eraseEvents(names, named.continueFrom, until);
    for (const key of keys) await erase(key);`,
    breaks: [4, 8],
  },
  {
    name: 'an onboarding is erased whatever its version',
    file: 'shared/onboarding-store.ts',
    find: ': putIf(writeErased(erased), asRead,',
    replace: ": putIf(writeErased(erased), '#version = :read OR attribute_exists(#version)',",
    breaks: [6, 8, 9],
  },
  {
    name: 'a person that was erased counts as drift',
    file: 'functions/retry-undelivered/look-at-entities.ts',
    find: 'if (entity?.toReadBack || (entity === undefined && (await entityStore.isErased(key)))) return undefined;',
    replace: 'if (entity?.toReadBack) return undefined;',
    breaks: [8, 10],
  },
  {
    name: 'of two texts that differ in a repeated field one is kept',
    file: 'shared/json-text.ts',
    find: 'const exact = shape.isExact && shape.members === countMembers(value);',
    replace: 'const exact = shape.isExact;',
    breaks: [3],
  },
];
