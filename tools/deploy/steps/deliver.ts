import { randomUUID } from 'node:crypto';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { type DeployRun, readOutputs, until } from '#tools/deploy/deploy-run.ts';
import { asFirstRunner } from '#tools/deploy/deployer.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { pageOfCalls, runAndRead } from '#tools/deploy/run-page.ts';
import { callApi } from '#tools/deploy/signed-api.ts';

export const orderEventType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
const statuses = ['PENDING', 'FILLED'];
const orders = 10;
/** The emulator starts a process for each concurrent execution. */
const deliveryConcurrency = 2;

/** A notification about an order, as the platform sends it. */
export function orderNotification(orderId: string, status: string, second = 0): Buffer {
  const modifiedOn = new Date(Date.UTC(2026, 0, 2, 8, 0, second)).toISOString();
  return Buffer.from(JSON.stringify({ orderId, status, notificationType: 'UPDATED', modifiedOn }));
}

/** Delivers a notification and returns what became of it. */
export const deliverOrder = ({ platform }: DeployRun, body: Buffer) =>
  platform.platform.deliveries.deliver(orderEventType, body);

/** Waits until the API shows each order as filled. */
export async function untilFilled(deployment: DeployRun, orderIds: readonly string[]): Promise<void> {
  for (const orderId of orderIds)
    await until(`Order ${orderId} is FILLED`, async () => {
      const { json } = await callApi(deployment, { path: `/entities/order/${orderId}` });
      return JSON.stringify(json).includes('"status":"FILLED"');
    });
}

/** The platform delivers webhooks twice and in the wrong order; every order ends as filled. */
export async function deliver(deployment: DeployRun): Promise<string> {
  const orderIds = Array.from({ length: orders }, () => randomUUID());
  const bodies = orderIds.flatMap((id) => statuses.map((status, second) => orderNotification(id, status, second)));
  const answers = await mapConcurrent([...bodies.toReversed(), ...bodies], deliveryConcurrency, (body) =>
    deliverOrder(deployment, body),
  );
  const refused = answers.filter((answer) => answer.outcome !== 'delivered' || answer.status !== 200);
  if (refused.length > 0) throw new DeploymentError(`Not accepted: ${JSON.stringify(refused[0])}.`);
  await untilFilled(deployment, orderIds);
  return `${answers.length} deliveries accepted, ${orders} orders filled`;
}

/** Runs the commands by which docs/how-to/without-the-command-line.md shows that webhooks have arrived. */
export async function seeWebhooksArrive(deployment: DeployRun): Promise<string> {
  const headings = ['Keep the outputs in variables', 'See what Store has applied'];
  const firstRunner = await asFirstRunner(deployment);
  // Log lines can be searched some seconds after they are written.
  const applied = await until('The page shows the applied events', async () => {
    const { printed } = await runAndRead(firstRunner, pageOfCalls, headings);
    const shown = [...printed.matchAll(/"message":"event applied"/g)].length;
    return shown >= orders && shown;
  });
  return `the page shows ${applied} applied events`;
}

/** A delivery without the secret header gets 401. */
export async function deliverUnauthenticated(deployment: DeployRun): Promise<string> {
  const { WebhooksUrl } = await readOutputs(deployment);
  const { status } = await deployment.target.fetch(`${WebhooksUrl}/${orderEventType}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (status !== 401) throw new DeploymentError(`A delivery without the secret header was answered ${status}.`);
  return '401 without the secret header';
}
