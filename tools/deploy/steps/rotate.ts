import { randomUUID } from 'node:crypto';
import { type DeployRun, readOutputs, until } from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { deliverOrder, orderNotification, untilFilled } from './deliver.ts';

/** docs/how-to/rotate.md: every webhook moves to a new secret, and no delivery is rejected meanwhile. */
export async function rotate(deployment: DeployRun): Promise<string> {
  const { aws, platform } = deployment;
  const { RegisterFunction } = await readOutputs(deployment);
  const secrets = () => new Set(platform.platform.registrations.list().map(({ headers }) => headers?.[0]?.value));
  const [previous] = secrets();
  const orderId = randomUUID();
  await aws.invoke(RegisterFunction, { mode: 'rotate' });
  await until('Every webhook has the new secret', () => secrets().size === 1 && !secrets().has(previous));
  const answer = await deliverOrder(deployment, orderNotification(orderId, 'FILLED'));
  if (answer.outcome !== 'delivered') throw new DeploymentError(`Rejected with the new secret: ${answer.outcome}.`);
  await untilFilled(deployment, [orderId]);
  return `${platform.platform.registrations.list().length} registrations moved to the new secret`;
}
