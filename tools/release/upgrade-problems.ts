import { brokenImports } from './broken-imports.ts';
import { lostOutputs, lostRoutes } from './lost-addresses.ts';
import { lostResources, unretainedResources } from './lost-resources.ts';
import type { Release, ReleaseTemplates } from './release-templates.ts';
import { isDirectUpgrade } from './release-version.ts';
import { crowdedIndexChanges, editedIndexes, retypedKeys } from './table-keys.ts';
import { weakerProtection } from './weaker-protection.ts';

const stackNames = ['data', 'service'] as const;

const lossRules = [lostResources, unretainedResources, retypedKeys, weakerProtection, lostOutputs, lostRoutes] as const;

const stepRules = [editedIndexes, crowdedIndexChanges] as const;

/**
 * What the upgrade from an earlier release would lose: a sentence for each problem, which says what to do. Judges only the
 * templates, not the rows and messages that the code reads.
 */
export function lossProblems(before: ReleaseTemplates, after: ReleaseTemplates): readonly string[] {
  return stackNames.flatMap((stack) => lossRules.flatMap((rule) => rule(before[stack], after[stack])));
}

/** Why CloudFormation or DynamoDB would refuse to deploy directly over a release: a sentence for each problem. */
export function stepProblems(before: ReleaseTemplates, after: ReleaseTemplates): readonly string[] {
  const refused = stackNames.flatMap((stack) => stepRules.flatMap((rule) => rule(before[stack], after[stack])));
  return [...refused, ...brokenImports(before, after)];
}

/**
 * Why an upgrade from an earlier release would be unsafe. None if it is safe (promise 11): nothing is lost from any
 * earlier release, and this one deploys over each one from which operators upgrade directly.
 */
export function upgradeProblems(earlier: readonly Release[], { version, templates }: Release): readonly string[] {
  const versions = earlier.map((release) => release.version);
  return earlier.flatMap((release) => {
    const isDirect = isDirectUpgrade(release.version, version, versions);
    return (['default settings', 'every setting'] as const).flatMap((given) => {
      const [before, after] = [release.templates[given], templates[given]];
      const problems = [...lossProblems(before, after), ...(isDirect ? stepProblems(before, after) : [])];
      return problems.map((problem) => `From ${release.version}, with ${given}: ${problem}`);
    });
  });
}
