/** What to do in any case: the code cannot know which report is wrong. */
const askSupport =
  "Read the entity's timeline for the two events, and ask the platform's support which status holds. Act on neither until then.";

/**
 * What an operator does about each anomaly, in the same order: one or more sentences. The one home of these sentences: the
 * read API, the bus and the log take them from here.
 *
 * @param anomalies as `findAnomalies` names them
 */
export function remediesOf(anomalies: readonly string[]): string[] {
  return anomalies.map(remedyOf);
}

function remedyOf(anomaly: string): string {
  const [from, to] = anomaly.split(' → ', 2);
  if (to === undefined) return `The platform reported ${anomaly}, which exclude each other. ${askSupport}`;
  const other = to === '*' ? 'an unknown status' : to;
  return `The platform dates ${other} after ${from}, which is final. ${askSupport}`;
}
