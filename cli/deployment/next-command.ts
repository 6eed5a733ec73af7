/** What the API says to a sender of HTTP requests, and what a user of the command line does instead. */
const phrases: readonly (readonly [string, string])[] = [
  ['send PATCH /onboardings/{externalId}/person', 'run drawbridge persons update'],
  ['send POST /onboardings/{externalId}/retry', 'run drawbridge onboardings retry'],
  ['Send DELETE /persons/{externalId} until the answer is 204', 'Run drawbridge persons erase'],
  ['the query parameter naturalPersonId', 'the option --natural-person'],
  ['Cancel the onboarding,', 'Run drawbridge onboardings cancel,'],
  ['send the erasure again', 'run drawbridge persons erase again'],
  ['Send the request again', 'Run drawbridge onboardings start again'],
  ['Send the update again', 'Run drawbridge persons update again'],
  ['send the update again', 'run drawbridge persons update again'],
];

/** A remedy of the API for people at a terminal. */
export function inCommands(remedy: string): string {
  return phrases.reduce((text, [request, command]) => text.replace(request, command), remedy);
}

const idProblems: ReadonlySet<string | undefined> = new Set([
  'invalid-id',
  'entity-not-found',
  'event-not-found',
  'onboarding-not-found',
]);

/** The command that lists what a path is about. */
const lists: Readonly<Record<string, string>> = {
  events: 'drawbridge events ls',
  'entities/order': 'drawbridge orders ls',
  'entities/transfer': 'drawbridge transfers ls',
  'entities/natural-person': 'drawbridge persons ls',
  'entities/identification-verification': 'drawbridge verifications ls',
};

/** What to do when the deployment keeps no list to search for a short id, or to show. By the first part of the path. */
const remediesWithoutList: Readonly<Record<string, string>> = {
  events:
    'to name an event, give its whole id. To list the events in quarantine, run drawbridge quarantine ls. To list all events, set listEvents in the settings file and deploy: events are listed from then on.',
  entities:
    'to name an entity, give its whole id. To list entities, set listEntities in the settings file and deploy: entities are listed from their next webhook on.',
};

/** What to try after a refusal. @param path of the request */
export function nextCommand(path: string, problemType: string | undefined, remedy: string): string {
  const [, first = '', second = ''] = path.split('/');
  if (first === 'persons' && problemType === 'person-unknown')
    return 'run the command again with --natural-person ID, the id of the person on the platform.';
  if (problemType === 'list-not-kept') return remediesWithoutList[first] ?? inCommands(remedy);
  if (!idProblems.has(problemType)) return inCommands(remedy);
  if (first === 'onboardings')
    return 'drawbridge onboardings ls lists the onboardings, drawbridge onboardings start FILE starts one.';
  const list = lists[first === 'entities' ? `${first}/${second}` : first];
  return list === undefined ? inCommands(remedy) : `${list} lists the ids.`;
}
