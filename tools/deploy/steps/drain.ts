import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type DeployRun, settleMs, until } from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { fireSchedule } from '#tools/deploy/fire-schedule.ts';
import { deliverOrder, orderNotification, untilFilled } from './deliver.ts';

const orders = 5;

/** While API Gateway is down, webhooks stay with the platform. The schedule of the drain fetches and marks them. */
export async function drain(deployment: DeployRun): Promise<string> {
  const { network, platform } = deployment;
  const { undelivered } = platform.platform;
  const orderIds = Array.from({ length: orders }, () => randomUUID());
  network.isUp = false;
  try {
    for (const id of orderIds) await deliverOrder(deployment, orderNotification(id, 'FILLED'));
  } finally {
    network.isUp = true;
  }
  if (undelivered.count() !== orders)
    throw new DeploymentError(`The platform keeps ${undelivered.count()} undelivered webhooks.`);
  await fireSchedule(deployment, 'RetryUndeliveredDrainRuns');
  await untilFilled(deployment, orderIds);
  // The drain marks what it has listed twice, with this time in between (docs/explanation/draining.md).
  await wait(settleMs);
  await fireSchedule(deployment, 'RetryUndeliveredDrainRuns');
  await until('The drain marks every webhook as delivered', () => undelivered.count() === 0);
  return `${orders} undelivered webhooks stored and marked`;
}
