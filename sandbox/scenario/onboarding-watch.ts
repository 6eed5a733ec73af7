import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { videoCallsAt } from '#sandbox/platform/persons/identification-verification-schema.ts';
import { createRandom } from '#sandbox/random.ts';
import { canaries, externalIdCanary } from './canary.ts';
import { createCanaryWatch } from './canary-watch.ts';
import { createFunctionKills } from './function-kills.ts';
import { watchChanges } from './published-changes.ts';
import { watchSteps } from './published-steps.ts';

/** A message is tried ten times: half of that is left to what else goes wrong. */
const mostKills = 5;

export type OnboardingWatch = ReturnType<typeof createOnboardingWatch>;

/** All that the scenario onboarding watches of what the functions call, and by which it kills them. */
export function createOnboardingWatch(seed: number) {
  const persons = createCanaryWatch(canaries);
  const externalIds = createCanaryWatch([externalIdCanary]);
  const videoCalls = createCanaryWatch([videoCallsAt]);
  const steps = watchSteps();
  const { onAwsCall, changes } = watchChanges();
  const kills = createFunctionKills({ random: createRandom(seed), most: mostKills });
  return {
    /** Of personal data, of the partner's ids of persons, and of the URLs of their video calls. */
    canaries: { persons, externalIds, videoCalls },
    steps,
    changes,
    kills,
    onAwsCall: (moment: AwsCallMoment): void => {
      for (const watcher of [persons, externalIds, videoCalls, steps]) watcher.onAwsCall(moment);
      onAwsCall(moment);
      kills.onAwsCall(moment);
    },
  };
}
