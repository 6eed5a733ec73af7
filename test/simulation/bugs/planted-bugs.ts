import { batchBugs } from './batch-bugs.ts';
import { drainBugs } from './drain-bugs.ts';
import { effectBugs } from './effect-bugs.ts';
import { entityBugs } from './entity-bugs.ts';
import { erasureBugs } from './erasure-bugs.ts';
import { ingestBugs } from './ingest-bugs.ts';
import { onboardingBugs } from './onboarding-bugs.ts';
import type { PlantedBug } from './planted-bug.ts';
import { progressBugs } from './progress-bugs.ts';
import { reconcileBugs } from './reconcile-bugs.ts';
import { rotationBugs } from './rotation-bugs.ts';
import { survivorBugs } from './survivor-bugs.ts';
import { tokenBugs } from './token-bugs.ts';

/** All bugs that random histories must catch. A missed bug shows a gap in the checks. */
export const plantedBugs: readonly PlantedBug[] = [
  ...ingestBugs,
  ...entityBugs,
  ...drainBugs,
  ...tokenBugs,
  ...onboardingBugs,
  ...reconcileBugs,
  ...survivorBugs,
  ...erasureBugs,
  ...rotationBugs,
  ...progressBugs,
  ...effectBugs,
  ...batchBugs,
];
