import { CloudWatchLogsClient, GetQueryResultsCommand, StartQueryCommand } from '@aws-sdk/client-cloudwatch-logs';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningConsole } from '#cli/console/server/start-console.ts';
import { type HostedSandbox, startHostedSandbox } from '#test/end-to-end/hosted-sandbox.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import { startBreakableLine } from './breakable-line.ts';
import { startBrowser } from './browser.ts';
import { advanceClock, waitUntil } from './console-stage.ts';
import { type ConsoleWindow, openWindow, sessionHeadersOf, startConsoleOf } from './open-console.ts';

const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
const canary = 'Zwiebelmann';
const orderType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';

let sandbox: HostedSandbox;
let running: RunningConsole;
let browser: Browser;
let window: ConsoleWindow;

const deliver = (eventType: string, body: string) => sandbox.platform.deliveries.deliver(eventType, Buffer.from(body));

const order = (status: string, minute: number) =>
  JSON.stringify({ orderId, status, modifiedOn: `2026-01-02T03:0${minute}:00Z`, note: canary });

async function readApi(path: string): Promise<Record<string, unknown>> {
  return (await fetch(`${sandbox.endpoints.api}${path}`)).json() as Promise<Record<string, unknown>>;
}

async function countInLogOfQuery(message: string): Promise<string | undefined> {
  const { awsOrigin: endpoint, region } = sandbox.host.place;
  const logs = new CloudWatchLogsClient({ endpoint, region, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
  const group = sandbox.host.blueprint.logGroups.find(({ path }) => path.endsWith('/Query/Logs'))?.ref ?? '';
  const endTime = Math.ceil(sandbox.platform.clock.now().getTime() / 1_000);
  const queryString = `filter message = "${message}" | stats count(*) as lines`;
  const search = { queryString, logGroupNames: [group], startTime: endTime - 600, endTime };
  const { queryId } = await logs.send(new StartQueryCommand(search));
  const { results: [row] = [] } = await logs.send(new GetQueryResultsCommand({ queryId }));
  return row?.find(({ field }) => field === 'lines')?.value;
}

/** Opens a page of the console by its address, as a deep link does. */
const visit = (path: string) => window.page.goto(`${running.origin}${path}`);
const text = (content: string | RegExp) => window.page.getByText(content).first();
const heading = (name: string) => window.page.getByRole('heading', { name, level: 1 });
const confirm = () => window.page.locator('dialog[open] .confirm');
const button = (name: string | RegExp) => window.page.getByRole('button', { name, exact: true });

beforeAll(async () => {
  [sandbox, browser] = await Promise.all([startHostedSandbox(), startBrowser()]);
  await deliver(orderType, order('PENDING', 1));
  // Store may take two deliveries concurrently.
  await waitUntil(async () => (await readApi(`/entities/order/${orderId}`))['status'], 'PENDING');
  await deliver(orderType, order('FILLED', 2));
  await deliver('TRANSFER_NOTIFICATION', 'no JSON');
  await waitUntil(async () => (await readApi(`/entities/order/${orderId}`))['status'], 'FILLED');
  await waitUntil(async () => (await readApi('/quarantine'))['count'], 1);
  running = await startConsoleOf(sandbox, { isOperator: true });
  window = await openWindow(browser, running.url);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await running?.close();
  await sandbox?.close();
});

describe('the overview', () => {
  it('names what needs an operator, and shows it on its part of the picture', async () => {
    await visit('/');
    await text('1 event in quarantine').waitFor();
    const tables = window.page.locator('#node-tables');
    // The alarm takes the place of the count when its minute is over.
    await expect.poll(() => tables.getAttribute('class')).toMatch(/warn|bad/);
    expect(await tables.textContent()).toMatch(/1 quarantined|EventsQuarantined/);
  });

  it('plots the last hour by the minute, also what came before the console was opened', async () => {
    await expect.poll(() => window.page.locator('.plot canvas').count()).toBe(9);
    const lastHour = `${running.origin}/api/read/lastHour`;
    const headers = await sessionHeadersOf(window.page);
    const { times, stored } = (await (await window.context.request.get(lastHour, { headers })).json()) as {
      times: number[];
      stored: (number | null)[];
    };
    expect([times.length, stored.reduce<number>((sum, value) => sum + (value ?? 0), 0)]).toEqual([60, 3]);
  });
});

describe('the events', () => {
  it('lists events, and filters them by an address that can be sent to someone', async () => {
    await visit(`/events?eventType=${orderType}`);
    await expect.poll(() => window.page.locator('tbody tr').count()).toBe(2);
    // Each row says what its event is about, and what the event did.
    for (const status of ['PENDING', 'FILLED'])
      await window.page
        .getByRole('row')
        .filter({ hasText: 'Order' })
        .filter({ hasText: `${status}applied` })
        .waitFor();
    await window.page.getByLabel('State').selectOption('ANY');
    await window.page.getByLabel('Event type').fill('');
    await button('Filter').click();
    await text('NOT_JSON').waitFor();
    expect(new URL(window.page.url()).search).toBe('?quarantineReason=ANY');
  });

  it('finds events by the effect that they had and by their entity, and says which it has read', async () => {
    const rows = window.page.locator('tbody tr');
    await visit('/events');
    await window.page.getByLabel('State').selectOption('applied');
    await button('Filter').click();
    await text('Reports about the one entity.').waitFor();
    expect(await rows.count()).toBe(2);
    await window.page.getByLabel('State').selectOption('');
    await window.page.getByLabel('Id', { exact: true }).fill(orderId);
    await button('Filter').click();
    await text('Every report about the entity.').waitFor();
    expect(await rows.count()).toBe(2);
    await window.page.getByLabel('State').selectOption('anomaly');
    await button('Filter').click();
    await text('No event matches.').waitFor();
    expect(new URL(window.page.url()).search).toBe(`?effect=anomaly&id=${orderId}`);
  });

  it('lists each delivery of an event with its time, its answer and its id, from the logs', async () => {
    await deliver(orderType, order('PENDING', 1));
    const { events } = await readApi(`/entities/order/${orderId}/timeline`);
    const pending = (events as { eventId: string; status: string }[]).find(({ status }) => status === 'PENDING');
    await expect.poll(async () => (await readApi(`/events/${pending?.eventId}`))['deliveries']).toBe(2);
    await visit(`/events/${pending?.eventId}`);
    const rows = window.page.getByRole('table', { name: /^Deliveries of the webhook/ }).locator('tbody tr');
    await rows.nth(1).waitFor({ timeout: 20_000 });
    const [again, first] = await rows.allInnerTexts();
    expect(again).toMatch(/^\d\d:\d\d:\d\d\s+200\s+[\d,]+ ms\s+duplicate\s+[\da-f]{8}…[\da-f]{6}/);
    expect(first).toMatch(/\s200\s+[\d,]+ ms\s+stored\s/);
  });

  it('shows what an event changed, and its body only after a click that the log records', async () => {
    const { events } = await readApi(`/entities/order/${orderId}/timeline`);
    const { eventId } =
      (events as { eventId: string; status: string }[]).find(({ status }) => status === 'FILLED') ?? {};
    await visit(`/events/${eventId}`);
    await heading(orderType).waitFor();
    expect(await window.page.content()).not.toContain(canary);
    await text('The status changed from PENDING to FILLED.').waitFor();
    await button('Reveal').click();
    await text(canary).waitFor();
    await window.page.getByLabel('Difference from').selectOption({ index: 1 });
    await window.page.locator('.difference .added').filter({ hasText: '"status": "FILLED"' }).waitFor();
    await button('Fold all').click();
    await text('4 members').waitFor();
    expect(sandbox.log()).toContain('event body read');
  });
});

describe('the live page', () => {
  it('shows a webhook and its bus event as they come, and leads to the order', async () => {
    await visit('/live');
    await text('Waiting for webhooks and bus events.').waitFor();
    await deliver(orderType, order('SETTLED', 3));
    await text('OrderStatusChanged').waitFor();
    await expect.poll(() => window.page.getByRole('row').filter({ hasText: orderType }).count()).toBe(1);
    await window.page.getByLabel('Text').fill('settled');
    await expect.poll(() => window.page.locator('tbody tr').count()).toBe(1);
  });

  it('connects again after its connection broke, and shows what came meanwhile', async () => {
    const served = await startConsoleOf(sandbox, { isOperator: true });
    const port = Number(new URL(served.origin).port);
    const line = await startBreakableLine(port);
    const ownBrowser = await startBrowser([`--host-resolver-rules=MAP localhost:${port} 127.0.0.1:${line.port}`]);
    try {
      const { page } = await openWindow(ownBrowser, served.url.replace('127.0.0.1', 'localhost'));
      await page.goto(`http://localhost:${port}/live`);
      await page.getByText('Waiting for webhooks and bus events.').waitFor();
      line.cut();
      await page.getByText('connection lost, trying again').waitFor();
      await page.getByText(/^The numbers are of \d\d:\d\d:\d\d: /).waitFor();
      await page.getByRole('link', { name: 'Quarantine' }).click();
      await page.getByText('The console server does not answer.').first().waitFor();
      await deliver('CUSTOMER_NOTIFICATION', '{"customerId":"1"}');
      await expect
        .poll(async () => (await readApi('/events?eventType=CUSTOMER_NOTIFICATION'))['items'])
        .toHaveLength(1);
      line.join();
      // A page that could not be read is read again without a click.
      await page
        .getByText('No event is in quarantine.')
        .or(page.getByText(/^\d+ events?, the oldest/))
        .first()
        .waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.getByRole('link', { name: 'Live' }).click();
      await page.getByRole('row').filter({ hasText: 'CUSTOMER_NOTIFICATION' }).first().waitFor();
    } finally {
      await ownBrowser.close();
      line.close();
      await served.close();
    }
  });
});

describe('an entity', () => {
  it('shows the path to its status, and why each report had its effect', async () => {
    const path = `/entities/order/${orderId}-3/timeline`;
    for (const [index, body] of [order('CANCELED', 1), order('FILLED', 0)].entries()) {
      await deliver(orderType, body.replace(orderId, `${orderId}-3`));
      await expect.poll(async () => (await readApi(path))['events']).toHaveLength(index + 1);
    }
    await visit(`/entities/order/${orderId}-3`);
    await text('contradicts a final status').or(text('is later than this report')).waitFor();
    await window.page.setViewportSize({ width: 390, height: 844 });
    await window.page.getByText('Why: ').first().waitFor();
    await window.page.setViewportSize({ width: 1_280, height: 800 });
    await window.page.getByRole('columnheader', { name: 'Why' }).waitFor();
    expect(await window.page.locator('#node-CANCELED').getAttribute('class')).toContain('current');
  });

  it('stands beside what the platform says now, on request', async () => {
    await visit(`/entities/order/${orderId}`);
    await button('Ask the platform').click();
    await text('The platform has no operation that reads the status of an order').waitFor();
    const made = await fetch(`${sandbox.endpoints.control}/natural-persons`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'ACTIVE' }),
    });
    const { naturalPersonId } = (await made.json()) as { naturalPersonId: string };
    await deliver('NATURAL_PERSON_NOTIFICATION', JSON.stringify({ naturalPersonId, notificationType: 'UPDATED' }));
    await expect.poll(async () => (await readApi(`/entities/natural-person/${naturalPersonId}`))['kind']).toBeDefined();
    await visit(`/entities/natural-person/${naturalPersonId}`);
    await button('Ask the platform').click();
    // The webhook of the platform may have come before the question: then both columns say the same.
    const theirs = window.page.locator('.comparison tbody tr').first().locator('td').last();
    await expect.poll(() => theirs.textContent()).toBe('ACTIVE');
  });
});

describe('an onboarding', () => {
  const externalId = 'console-1';
  const { externalId: _, ...person } = samplePerson;

  const requestOnboarding = (id: string, mode: 'video' | 'none') =>
    fetch(`${sandbox.endpoints.api}/onboardings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ externalId: id, person, identification: { mode } }),
    });

  it('is on a board by its step, which leads to its path and its history', async () => {
    await requestOnboarding(externalId, 'video');
    await waitUntil(async () => (await readApi(`/onboardings/${externalId}`))['step'], 'AWAITING_VIDEO_CALL');
    await visit('/onboardings');
    await window.page.locator('.board-column').filter({ hasText: 'AWAITING_VIDEO_CALL' }).locator('.card').click();
    await text('of 7 d').waitFor();
    const states = window.page.locator('.picture.onboarding');
    await expect.poll(() => states.locator('#node-AWAITING_VIDEO_CALL').getAttribute('class')).toContain('current');
    // The path comes with the history, a moment after the page.
    await expect.poll(() => states.locator('.taken').count()).toBe(5);
    await window.page.getByRole('row').filter({ hasText: 'the link of the video call is there' }).waitFor();
  });

  it('shows the link of its video call only after a click that the log records', async () => {
    const { identificationUrl } = await readApi(`/onboardings/${externalId}`);
    const { request } = window.context;
    for (const read of ['board', 'onboardings', `onboarding?externalId=${externalId}&direction=LR`])
      expect(await (await request.get(`${running.origin}/api/read/${read}`)).text()).not.toContain(identificationUrl);
    await visit(`/onboardings/${externalId}`);
    await button('Reveal').click();
    await text(String(identificationUrl)).waitFor();
    expect(await countInLogOfQuery('video call link read')).toBe('1');
  });
});

describe('an event in quarantine, or a dead letter', () => {
  it('is shown without its body, and counted on the overview', async () => {
    const QueueUrl = sandbox.endpoints.queues['webhooks-dlq'] ?? '';
    const letter = { deliveryId: 'delivery-1', eventType: 'T', deflatedBody: canary };
    await sandbox.host.clients.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(letter) }));
    await visit('/quarantine');
    await button('Show messages').click();
    await text('delivery-1').waitFor();
    await text('none in the log').waitFor();
    expect(await window.page.content()).not.toContain(canary);
    await visit('/');
    const oldest = window.page.getByRole('row').filter({ hasText: 'WebhooksDlq' }).locator('td').last();
    await expect.poll(() => oldest.textContent()).toMatch(/^\d+ s$/);
  });
});

describe('the search', () => {
  it('leads from the id of an event or of a person to its page', async () => {
    const { events } = await readApi(`/entities/order/${orderId}/timeline`);
    const [{ eventId = '' } = {}] = events as readonly { eventId?: string }[];
    await visit(`/search?id=${eventId}`);
    await heading(orderType).waitFor();
    await visit('/search?id=console-1');
    await text('At this step').waitFor();
  });
});

describe('the page of the registrations', () => {
  it('takes over registrations from another system and removes them one by one, after a plan that is still true', async () => {
    const { registrations } = sandbox.platform;
    const [foreign, obsolete] = ['USER_NOTIFICATION', 'FORMER_NOTIFICATION'];
    const ours = registrations.get(foreign);
    registrations.register({ eventType: foreign, url: 'https://other.example/webhooks' });
    const url = (ours?.url ?? '').replace(foreign, obsolete);
    registrations.register({ eventType: obsolete, url, headers: ours?.headers ?? [] });
    await visit('/registrations');
    await window.page.getByRole('row').filter({ hasText: 'leads to https://other.example' }).waitFor();
    await button('Take over').click();
    await text(`This will replace the webhook of another system for ${foreign}`).waitFor();
    registrations.unregister(orderType);
    await confirm().click();
    await text('Nothing was done: the plan has changed').waitFor();
    await button('Close').click();
    expect(registrations.get(foreign)?.url).toBe('https://other.example/webhooks');
    await button('Take over').click();
    await text('and apply the other 1 change of the plan').waitFor();
    await confirm().click();
    await text(`${foreign}: taken over`).waitFor();
    await button('Close').click();
    expect([registrations.get(foreign)?.url, registrations.get(orderType)?.url]).toEqual([
      ours?.url,
      expect.stringContaining(orderType),
    ]);
    await button('Remove').click();
    await text(`This will remove our webhook for ${obsolete}`).waitFor();
    await confirm().click();
    await text(`${obsolete}: removed`).waitFor();
    await button('Close').click();
    expect(registrations.get(obsolete)).toBeUndefined();
  });
});

describe('the reconciliation', () => {
  async function reconcile(action: 'Compare' | 'Repair'): Promise<void> {
    await button(action).click();
    await confirm().click();
    await text(/entities were compared/).waitFor();
    await button('Close').click();
  }

  it('compares every entity on request, lists what the platform does not know, and shows the last walk that repairs', async () => {
    const goneId = '0190a6f0-5678-7abc-8def-00000000dead';
    await deliver('NATURAL_PERSON_NOTIFICATION', JSON.stringify({ naturalPersonId: goneId, status: 'ACTIVE' }));
    await expect.poll(async () => (await readApi(`/entities/natural-person/${goneId}`))['kind']).toBeDefined();
    await visit('/reconciliation');
    await text('This console has listed nothing yet.').waitFor();
    await text('Scheduled runs keep only counts.').waitFor();
    await reconcile('Compare');
    const unknown = window.page.getByRole('table', { name: 'Entities: gone' });
    await unknown.getByRole('row').filter({ hasText: goneId }).waitFor();
    await reconcile('Repair');
    await window.page.getByText('Ended', { exact: true }).waitFor();
    await window.page.getByText('No walk has ended yet.').waitFor({ state: 'detached' });
  });

  // The last: much is old a week later.
  it('lists the stale entities, of which the last walk has only the count', async () => {
    const staleId = `${orderId}-stale`;
    await deliver(orderType, JSON.stringify({ orderId: staleId, status: 'PENDING' }));
    await waitUntil(async () => (await readApi(`/entities/order/${staleId}`))['status'], 'PENDING');
    await advanceClock(sandbox, 8 * 24 * 60 * 60);
    await visit('/reconciliation');
    await reconcile('Compare');
    const stale = window.page.getByRole('table', { name: 'Entities: stale' }).first();
    await stale.getByRole('row').filter({ hasText: staleId }).getByText('PENDING').waitFor();
    await text('The last report about the oldest stale entity is of').waitFor();
  });
});

it('makes the browser complain about nothing', () => {
  // The page of an order that was triggered a moment ago asks for the order before its first webhook.
  const awaited = /status of 404/;
  expect(window.complaints().filter((complaint) => !awaited.test(complaint))).toEqual([]);
});
