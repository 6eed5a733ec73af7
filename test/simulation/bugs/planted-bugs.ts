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

/** Each must be caught by the simulation: what it does not catch, it does not watch. */
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
];
