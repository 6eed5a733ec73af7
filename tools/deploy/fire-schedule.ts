import * as z from 'zod';
import { type DeployRun, findResource } from './deploy-run.ts';

const schedule = z.looseObject({ Target: z.unknown() });

/**
 * Fires a schedule now, by a copy that runs once: with the target, the role, the input and the dead-letter queue that
 * CloudFormation has deployed.
 *
 * @param prefix begins the schedule's logical id
 */
export async function fireSchedule(deployment: DeployRun, prefix: string): Promise<void> {
  const { aws, environment, target } = deployment;
  const name = await findResource(deployment, 'service', 'AWS::Scheduler::Schedule', prefix);
  const { Target } = await aws.read(schedule, 'scheduler', 'get-schedule', '--name', name);
  const at = new Date(Date.now() + target.scheduleDelay).toISOString().slice(0, 19);
  await aws.run(
    'scheduler',
    'create-schedule',
    ...['--name', `once-${environment}-${prefix.slice(0, 20)}-${at.replaceAll(':', '-')}`],
    ...['--schedule-expression', `at(${at})`],
    ...['--flexible-time-window', '{"Mode":"OFF"}'],
    ...['--action-after-completion', 'DELETE'],
    ...['--target', JSON.stringify(Target)],
  );
}
