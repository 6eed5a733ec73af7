import { ingestBugs } from './ingest-bugs.ts';
import { jobBugs } from './job-bugs.ts';
import { onboardingBugs } from './onboarding-bugs.ts';
import type { PlantedBug } from './planted-bug.ts';

/** All bugs that random histories must catch. A missed bug shows a gap in the checks. */
export const plantedBugs: readonly PlantedBug[] = [...ingestBugs, ...jobBugs, ...onboardingBugs];

/** @throws {RangeError} no bug has the name */
export function plantedBug(name: string): PlantedBug {
  const bug = plantedBugs.find((one) => one.name === name);
  if (bug === undefined) throw new RangeError(`No planted bug has the name "${name}".`);
  return bug;
}
