import { randomUUID } from 'node:crypto';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createActions } from '#cli/console/actions/actions.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { type RunningConsole, startConsole } from '#cli/console/server/start-console.ts';
import { connect } from '#cli/deployment/connect.ts';
import type { Policy } from '#cli/policy/permissions.ts';
import { person } from '#test/end-to-end/call-api.ts';
import { sendTo } from '#test/end-to-end/change-host.ts';
import { collectPermissions, readOperatorPolicies } from '#test/end-to-end/command-permissions.ts';
import { runDrawbridge } from '#test/end-to-end/run-drawbridge.ts';
import { subscribeQueue } from '#test/end-to-end/subscribe-queue.ts';
import { type ConsoleLaptop, type ConsolePage, pageOf, startLaptop } from './console-stage.ts';
import { consoleDeps, openWindow, sessionHeadersOf } from './open-console.ts';

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
const newEventTypes = ['FIRST_NOTIFICATION'];

let laptop: ConsoleLaptop;
let permissions = collectPermissions();
beforeAll(async () => {
  laptop = await startLaptop({ newEventTypes, onAwsCall: (moment) => permissions.onAwsCall(moment) });
  const { awsOrigin, region } = laptop.sandbox.host.place;
  vi.stubEnv('AWS_ENDPOINT_URL', awsOrigin);
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'operator');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'operator');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await laptop?.close();
});

type Opened = { readonly tab: ConsolePage; readonly running: RunningConsole; readonly close: () => Promise<void> };

/** Opens a console of the stacks as of a deployed environment, and collects what it asks of AWS and of the API from then on. */
async function openDeployed(isOperator: boolean): Promise<Opened> {
  permissions = collectPermissions();
  const deps = { ...consoleDeps, fetch: permissions.fetch };
  const deployment = await connect({ env: 'laptop', directory: '/nowhere' }, deps);
  // The URLs of queues name another port than the endpoint: an SDK that reads the endpoint from the environment prefers the URL.
  const sqs = new SQSClient({ endpoint: laptop.sandbox.host.place.awsOrigin });
  const clients = { ...deployment.clients, sqs };
  const running = await startConsole({ deployment: { ...deployment, clients }, isOperator }, deps);
  const { context, page, complaints } = await openWindow(laptop.browser, running.url);
  const tab = pageOf(running.origin, context, page, complaints);
  return {
    tab,
    running,
    close: async () => {
      await tab.close();
      await running.close();
    },
  };
}

async function readerPolicy(): Promise<Policy> {
  const { json } = await runDrawbridge(laptop.sandbox, ['policy', 'reader', '--json']);
  return json() as Policy;
}

const quarantined = async () => (await laptop.readApi('/quarantine'))['count'];

describe('a console of a deployed environment without --operator', () => {
  it('shows lists, entities and onboardings with the policy of a reader, and asks for more only where it says so', async () => {
    const orderId = randomUUID();
    await laptop.deliver(orders, { orderId, status: 'PENDING', modifiedOn: '2026-01-02T03:01:00Z' });
    await expect.poll(async () => (await laptop.readApi(`/entities/order/${orderId}`))['status']).toBe('PENDING');
    const { tab, close } = await openDeployed(false);
    try {
      await tab.text('read only').waitFor();
      for (const path of [
        '/',
        '/events',
        '/entities',
        `/entities/order/${orderId}`,
        '/onboardings',
        '/quarantine',
        '/bus',
      ]) {
        await tab.visit(path);
        await tab.page.locator('#main h1').waitFor();
        await expect.poll(() => tab.page.locator('.skeleton').count()).toBe(0);
        expect(await tab.page.getByRole('alert').count(), path).toBe(0);
      }
      await tab.visit('/live');
      await tab.text('Bus events need --operator').waitFor();
      expect(await tab.page.getByRole('link', { name: 'Sandbox' }).count()).toBe(0);
      expect(permissions.deniedBy(await readerPolicy())).toEqual([]);
      // An event, whose answer can hold personal data, and what only Reconcile and Register know.
      await tab.visit('/events');
      await tab.page.locator('[data-row]').first().click();
      await tab.heading(orders).waitFor();
      await tab.button('Read the deliveries').click();
      await tab.page.getByRole('row').filter({ hasText: 'stored' }).getByText('200', { exact: true }).waitFor();
      await tab.visit('/reconciliation');
      await tab.button('Compare').waitFor();
      await tab.visit('/registrations');
      await tab.page.getByRole('table', { name: 'Plan of the webhooks' }).waitFor();
      expect(permissions.deniedBy(await readerPolicy()).toSorted()).toEqual([
        expect.stringMatching(/^execute-api:Invoke GET\/events\/[\da-f]{64}$/),
        expect.stringMatching(/^lambda:InvokeFunction .*-reconcile$/),
        expect.stringMatching(/^lambda:InvokeFunction .*-register$/),
      ]);
    } finally {
      await close();
    }
  });

  it('refuses the preview of every write', async () => {
    const { tab, running, close } = await openDeployed(false);
    try {
      const unused = { deployment: { invoke: undefined, api: undefined }, reports: [], folder: '', deps: {} };
      const actions = Object.entries(createActions(unused as unknown as ConsoleContext));
      const writes = actions.filter(([, { isRead }]) => !isRead).map(([name]) => name);
      expect(writes.length).toBeGreaterThan(10);
      for (const name of writes) {
        const answer = await tab.page.request.post(`${running.origin}/api/actions/${name}/preview`, {
          data: {},
          headers: { origin: running.origin, ...(await sessionHeadersOf(tab.page)) },
        });
        const problem = expect.objectContaining({ status: 403 });
        expect([name, answer.status(), await answer.json()]).toEqual([name, 403, problem]);
      }
      await tab.visit('/registrations');
      await expect.poll(() => tab.button('Rotate the secret').isDisabled()).toBe(true);
    } finally {
      await close();
    }
  });
});

describe('a console of a deployed environment with --operator', () => {
  it('replays events and the bus, redrives, onboards, repairs and rotates with the policies of an operator, and names the environment before it writes', async () => {
    await laptop.deliver('FIRST_NOTIFICATION', '{}');
    await expect.poll(quarantined).toBe(1);
    await sendTo(laptop.sandbox.host, 'webhooks-dlq', { MessageBody: '{"eventId":"none"}' });
    await subscribeQueue(laptop.sandbox, 'new-ledger');
    const { tab, close } = await openDeployed(true);
    try {
      await tab.page.locator('.where').getByText('operator').waitFor();
      await tab.visit('/quarantine');
      expect(await tab.act(tab.button('Replay all'))).toEqual({
        will: 'This will hand 1 event to Store again (environment laptop).',
        outcome: '1 is back in quarantine: UNKNOWN_EVENT_TYPE.',
      });
      await tab.text('The platform profile does not have the event type. Add the event type').waitFor();
      await tab.button('Show messages').click();
      expect((await tab.act(tab.button('Redrive all'))).outcome).toBe('1 of 1 messages moved back.');

      await tab.visit('/bus');
      await tab.page.getByLabel('Choose new-ledger').check();
      expect(await tab.act(tab.button('Replay events'))).toEqual({
        will: expect.stringContaining('once more for new-ledger (environment laptop).'),
        outcome: expect.stringMatching(/^The events of .+ were published once more for new-ledger\.$/),
      });

      await tab.visit('/onboardings/new');
      await tab.page.getByLabel('Your id of the person').fill('deployed-1');
      await tab.page.getByLabel('The person as JSON').fill(JSON.stringify(person));
      expect((await tab.act(tab.button('Start the onboarding'))).outcome).toContain('is accepted');
      await expect
        .poll(async () => (await laptop.readApi('/onboardings/deployed-1'))['step'])
        .toBe('AWAITING_VIDEO_CALL');
      await tab.visit('/onboardings/deployed-1');
      // The search costs, so that it waits for a click.
      await tab.button('Read the history').click();
      await tab.page.getByRole('row').filter({ hasText: 'the link of the video call is there' }).waitFor();
      expect((await tab.act(tab.button('Cancel the onboarding'))).outcome).toBe('The onboarding is at CANCELED.');
      expect((await laptop.readApi('/onboardings/deployed-1'))['step']).toBe('CANCELED');

      await tab.visit('/reconciliation');
      expect((await tab.act(tab.button('Repair'))).outcome).toContain('entities were compared');
      await tab.visit('/registrations');
      expect((await tab.act(tab.button('Rotate the secret'))).outcome).toMatch(/^Done\. Rotation: Both/);
      expect(permissions.deniedBy(await readOperatorPolicies(laptop.sandbox))).toEqual([]);
    } finally {
      await close();
    }
  });

  it('shows bus events while a window is open, and leaves no rule and no queue behind', async () => {
    const sessionQueues = async () =>
      (await laptop.sandbox.host.clients.sqs.send(new ListQueuesCommand({ QueueNamePrefix: 'drawbridge-cli-' })))
        .QueueUrls ?? [];
    const { tab, close } = await openDeployed(true);
    try {
      await tab.visit('/live');
      await tab.text('Waiting for webhooks and bus events.').waitFor();
      expect(await sessionQueues()).toHaveLength(1);
      await laptop.deliver(orders, { orderId: randomUUID(), status: 'PENDING', modifiedOn: '2026-01-02T03:01:00Z' });
      await tab.text('OrderStatusChanged').waitFor();
    } finally {
      await close();
    }
    expect(await sessionQueues()).toEqual([]);
  });
});
