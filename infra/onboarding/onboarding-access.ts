import type { CapabilityProps } from '#infra/parts/capability.ts';
import type { DrawbridgeFunction } from '#infra/parts/function.ts';
import { profileVariable } from '#infra/parts/platform-access.ts';
import { useKey, via } from '#infra/parts/use-key.ts';
import type { WorkQueue } from '#infra/parts/work-queue.ts';

export type AcceptingProps = Pick<CapabilityProps, 'settings' | 'data' | 'alarms'> & {
  /** Takes the ids of onboardings to wake. */
  readonly queue: WorkQueue;
};

/** The variables of a function that reads onboardings. */
export function onboardingVariables({ settings, data }: Pick<CapabilityProps, 'settings' | 'data'>) {
  const { onboarding } = settings;
  return {
    ...profileVariable(settings),
    ONBOARDINGS_TABLE: data.onboardings.tableName,
    ...(onboarding && { ONBOARDING_SETTINGS: JSON.stringify(onboarding) }),
  };
}

/** Lets a function accept onboardings: store the request, and wake the onboarding. */
export function allowAccepting(accepting: DrawbridgeFunction, { data, queue }: AcceptingProps): void {
  accepting.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], data.onboardings.tableArn);
  accepting.allow(['sqs:SendMessage'], queue.queueArn);
  accepting.allow(useKey, data.key.keyArn, via('dynamodb', 'sqs'));
}
