import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '#package/build/read-json.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { toRecordView } from '#sandbox/platform/trading/orders/order.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { linkIntoConsumer, packedPackage, preparePackage } from '#test/package/packed-package.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

const source = join(repositoryRoot, 'examples/order-service');

let sandbox: Sandbox;
let personId: string;

beforeAll(preparePackage);
beforeAll(async () => {
  const { consumer } = packedPackage();
  const root = join(consumer, 'order-service');
  cpSync(source, root, { recursive: true });
  linkIntoConsumer(['@aws-sdk', 'esbuild', '.bin/esbuild']);
  sandbox = await startSandbox({
    root,
    directory: join(root, '.sandbox'),
    environment: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
    redeliveryDelay: 0,
    platform: { settings: { acceptSelfBeforeActive: true, unlistedNotifications: true } },
  });
  personId = makeReadyPerson(sandbox.platform, {}, 'ACTIVE').naturalPersonId;
  sandbox.platform.accounts.set(personId, { cash: 10_000_000n });
});
afterAll(() => sandbox?.close());

async function invoke(event: object): Promise<unknown> {
  const result = await sandbox.host.functions.find('order-desk')?.invoke(JSON.stringify(event));
  if (result === undefined || result.error !== undefined) throw new Error(JSON.stringify(result));
  return JSON.parse(result.payload);
}

/** An order that is PENDING on the platform. */
async function placeOrder(): Promise<string> {
  const [asset] = sandbox.platform.assets.list();
  const order = { naturalPersonId: personId, isin: asset?.isin ?? '', side: 'BUY', quantity: 10 } as const;
  const { orderId } = sandbox.platform.orders.place(order);
  await sandbox.platform.clock.advance(5);
  return orderId;
}

/** The status of an order in the table of the example. */
async function keptStatus(orderId: string): Promise<string | undefined> {
  const table = sandbox.host.blueprint.tables.find(({ name }) => name === 'orders');
  const key = { TableName: table?.physicalName, Key: { orderId: { S: orderId } } };
  return (await sandbox.host.clients.dynamodb.send(new GetItemCommand(key))).Item?.['status']?.S;
}

describe('the example order-service, with the packed package, on the laptop', () => {
  it('takes fewer than 200 lines', () => {
    const files = ['app.ts', 'order-service.ts', 'keep-orders.ts', 'order-desk.ts'];
    const lines = files.flatMap((file) => readFileSync(join(source, file), 'utf8').trimEnd().split('\n'));
    expect(lines.length).toBeLessThan(200);
  });

  it('keeps the status of an order, and cancels it on the platform', async () => {
    const orderId = await placeOrder();
    await expect.poll(() => keptStatus(orderId)).toBe('PENDING');
    expect(await invoke({ action: 'cancel', personId, orderId })).toEqual({ accepted: true });
    await sandbox.platform.clock.advance(10);
    await expect.poll(() => keptStatus(orderId)).toBe('CANCELED');
  });

  it('fetches the trade invoice of a filled order with the token of Drawbridge', async () => {
    const orderId = await placeOrder();
    const { executions = [] } = toRecordView(sandbox.platform.orders.execute(orderId));
    await sandbox.platform.clock.advance(10);
    const executionId = executions[0]?.executionId;
    const invoice = await invoke({ action: 'invoice', personId, executionId });
    expect(invoice).toEqual({ contentType: 'application/pdf', bytes: expect.any(Number) });
    await expect.poll(() => keptStatus(orderId)).toBe('FILLED');
  });

  it('has a person onboarded over the bus', async () => {
    const { externalId, ...person } = samplePerson;
    const request = { externalId, person, identification: { mode: 'none' } };
    await invoke({ action: 'onboard', request });
    const read = async () => (await fetch(`${sandbox.endpoints.api}/onboardings/${externalId}`)).status;
    await expect.poll(read).toBe(200);
  });
});
