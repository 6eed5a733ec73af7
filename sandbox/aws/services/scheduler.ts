import * as z from 'zod';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { type AwsService, AwsServiceError, serve } from './aws-service.ts';

const getSchedule = z.object({ Name: z.string() });

export type SchedulerDeps = {
  /** When the stacks were deployed. */
  readonly deployedOn: Date;
};

/** EventBridge Scheduler: `GetSchedule` of the schedules that the stacks declare. */
export function startScheduler({ schedules }: Pick<Blueprint, 'schedules'>, { deployedOn }: SchedulerDeps): AwsService {
  return serve({
    GetSchedule: (input) => {
      const { Name } = getSchedule.parse(input);
      const found = schedules.find(({ ref }) => ref === Name);
      if (found === undefined)
        throw new AwsServiceError('ResourceNotFoundException', `Schedule ${Name} does not exist.`);
      const { ScheduleExpression, ScheduleExpressionTimezone, FlexibleTimeWindow, State, Target } = found.properties;
      const { Arn, Input } = Target;
      return {
        Name,
        Arn: found.arn,
        GroupName: 'default',
        State,
        ScheduleExpression,
        ScheduleExpressionTimezone,
        FlexibleTimeWindow,
        Target: { Arn, Input, RoleArn: 'arn:aws:iam::000000000000:role/sandbox' },
        CreationDate: deployedOn.getTime() / 1_000,
        LastModificationDate: deployedOn.getTime() / 1_000,
      };
    },
  });
}
