import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningConsole } from '#cli/console/server/start-console.ts';
import { searchLogOfQuery } from '#test/end-to-end/read-host.ts';
import { startBreakableLine } from './breakable-line.ts';
import { startBrowser } from './browser.ts';
import { advanceClock, type ConsoleLaptop, type ConsolePage, pageOf, startLaptop, waitUntil } from './console-stage.ts';
import { openWindow, sessionHeadersOf, startConsoleOf } from './open-console.ts';

const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
const canary = 'Zwiebelmann';
const orderType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';

let laptop: ConsoleLaptop;
let running: RunningConsole;
let tab: ConsolePage;

const order = (status: string, minute: number) =>
  JSON.stringify({ orderId, status, modifiedOn: `2026-01-02T03:0${minute}:00Z`, note: canary });

beforeAll(async () => {
  laptop = await startLaptop();
  const { deliver, readApi } = laptop;
  await deliver(orderType, order('PENDING', 1));
  // Store may take two deliveries concurrently.
  await waitUntil(async () => (await readApi(`/entities/order/${orderId}`))['status'], 'PENDING');
  await deliver(orderType, order('FILLED', 2));
  await deliver('TRANSFER_NOTIFICATION', 'no JSON');
  await waitUntil(async () => (await readApi(`/entities/order/${orderId}`))['status'], 'FILLED');
  await waitUntil(async () => (await readApi('/quarantine'))['count'], 1);
  running = await startConsoleOf(laptop.sandbox, { isOperator: true });
  const { context, page, complaints } = await openWindow(laptop.browser, running.url);
  tab = pageOf(running.origin, context, page, complaints);
}, 180_000);
afterAll(async () => {
  await tab?.close();
  await running?.close();
  await laptop?.close();
});

describe('the overview', () => {
  it('names what needs an operator, and shows it on its part of the picture', async () => {
    await tab.visit('/');
    await tab.text('1 event in quarantine').waitFor();
    const tables = tab.page.locator('#node-tables');
    // The alarm takes the place of the count when its minute is over.
    await expect.poll(() => tables.getAttribute('class')).toMatch(/warn|bad/);
    expect(await tables.textContent()).toMatch(/1 quarantined|EventsQuarantined/);
  });

  it('plots the last hour by the minute, also what came before the console was opened', async () => {
    await expect.poll(() => tab.page.locator('.plot canvas').count()).toBe(9);
    const lastHour = `${running.origin}/api/read/lastHour`;
    const headers = await sessionHeadersOf(tab.page);
    const { times, stored } = (await (await tab.page.context().request.get(lastHour, { headers })).json()) as {
      times: number[];
      stored: (number | null)[];
    };
    expect([times.length, stored.reduce<number>((sum, value) => sum + (value ?? 0), 0)]).toEqual([60, 3]);
  });
});

describe('the events', () => {
  it('lists events, and filters them by an address that can be sent to someone', async () => {
    await tab.visit(`/events?eventType=${orderType}`);
    await expect.poll(() => tab.page.locator('tbody tr').count()).toBe(2);
    // Each row says what its event is about, and what the event did.
    for (const status of ['PENDING', 'FILLED'])
      await tab.page
        .getByRole('row')
        .filter({ hasText: 'Order' })
        .filter({ hasText: `${status}applied` })
        .waitFor();
    await tab.page.getByLabel('State').selectOption('ANY');
    await tab.page.getByLabel('Event type').fill('');
    await tab.button('Filter').click();
    await tab.text('NOT_JSON').waitFor();
    expect(new URL(tab.page.url()).search).toBe('?quarantineReason=ANY');
  });

  it('finds events by the effect that they had and by their entity, and says which it has read', async () => {
    const rows = tab.page.locator('tbody tr');
    await tab.visit('/events');
    await tab.page.getByLabel('State').selectOption('applied');
    await tab.button('Filter').click();
    await tab.text('Reports about the one entity.').waitFor();
    expect(await rows.count()).toBe(2);
    await tab.page.getByLabel('State').selectOption('');
    await tab.page.getByLabel('Id', { exact: true }).fill(orderId);
    await tab.button('Filter').click();
    await tab.text('Every report about the entity.').waitFor();
    expect(await rows.count()).toBe(2);
    await tab.page.getByLabel('State').selectOption('anomaly');
    await tab.button('Filter').click();
    await tab.text('No event matches.').waitFor();
    expect(new URL(tab.page.url()).search).toBe(`?effect=anomaly&id=${orderId}`);
  });

  it('lists each delivery of an event with its time, its answer and its id, from the logs', async () => {
    await laptop.deliver(orderType, order('PENDING', 1));
    const { events } = await laptop.readApi(`/entities/order/${orderId}/timeline`);
    const pending = (events as { eventId: string; status: string }[]).find(({ status }) => status === 'PENDING');
    await expect.poll(async () => (await laptop.readApi(`/events/${pending?.eventId}`))['deliveries']).toBe(2);
    await tab.visit(`/events/${pending?.eventId}`);
    const rows = tab.page.getByRole('table', { name: /^Deliveries of the webhook/ }).locator('tbody tr');
    await rows.nth(1).waitFor({ timeout: 20_000 });
    const [again, first] = await rows.allInnerTexts();
    expect(again).toMatch(/^\d\d:\d\d:\d\d\s+200\s+[\d,]+ ms\s+duplicate\s+[\da-f]{8}…[\da-f]{6}/);
    expect(first).toMatch(/\s200\s+[\d,]+ ms\s+stored\s/);
  });

  it('shows what an event changed, and its body only after a click that the log records', async () => {
    const { events } = await laptop.readApi(`/entities/order/${orderId}/timeline`);
    const { eventId } =
      (events as { eventId: string; status: string }[]).find(({ status }) => status === 'FILLED') ?? {};
    await tab.visit(`/events/${eventId}`);
    await tab.heading(orderType).waitFor();
    expect(await tab.page.content()).not.toContain(canary);
    await tab.text('The status changed from PENDING to FILLED.').waitFor();
    await tab.button('Reveal').click();
    await tab.text(canary).waitFor();
    await tab.page.getByLabel('Difference from').selectOption({ index: 1 });
    await tab.page.locator('.difference .added').filter({ hasText: '"status": "FILLED"' }).waitFor();
    await tab.button('Fold all').click();
    await tab.text('4 members').waitFor();
    expect(laptop.sandbox.log()).toContain('event body read');
  });
});

describe('the live page', () => {
  it('shows a webhook and its bus event as they come, and leads to the order', async () => {
    await tab.visit('/live');
    await tab.text('Waiting for webhooks and bus events.').waitFor();
    await laptop.deliver(orderType, order('SETTLED', 3));
    await tab.text('OrderStatusChanged').waitFor();
    await expect.poll(() => tab.page.getByRole('row').filter({ hasText: orderType }).count()).toBe(1);
    await tab.page.getByLabel('Text').fill('settled');
    await expect.poll(() => tab.page.locator('tbody tr').count()).toBe(1);
  });

  it('connects again after its connection broke, and shows what came meanwhile', async () => {
    const served = await startConsoleOf(laptop.sandbox, { isOperator: true });
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
      await laptop.deliver('CUSTOMER_NOTIFICATION', '{"customerId":"1"}');
      await expect
        .poll(async () => (await laptop.readApi('/events?eventType=CUSTOMER_NOTIFICATION'))['items'])
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
      await laptop.deliver(orderType, body.replace(orderId, `${orderId}-3`));
      await expect.poll(async () => (await laptop.readApi(path))['events']).toHaveLength(index + 1);
    }
    await tab.visit(`/entities/order/${orderId}-3`);
    await tab.text('contradicts a final status').or(tab.text('is later than this report')).waitFor();
    await tab.page.setViewportSize({ width: 390, height: 844 });
    await tab.page.getByText('Why: ').first().waitFor();
    await tab.page.setViewportSize({ width: 1_280, height: 800 });
    await tab.page.getByRole('columnheader', { name: 'Why' }).waitFor();
    expect(await tab.page.locator('#node-CANCELED').getAttribute('class')).toContain('current');
  });

  it('stands beside what the platform says now, on request', async () => {
    await tab.visit(`/entities/order/${orderId}`);
    await tab.button('Ask the platform').click();
    await tab.text('The platform has no operation that reads the status of an order').waitFor();
    const made = await laptop.control('POST', '/natural-persons', { status: 'ACTIVE' });
    const { naturalPersonId } = made as { naturalPersonId: string };
    await laptop.deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId, notificationType: 'UPDATED' });
    const path = `/entities/natural-person/${naturalPersonId}`;
    await expect.poll(async () => (await laptop.readApi(path))['kind']).toBeDefined();
    await tab.visit(path);
    await tab.button('Ask the platform').click();
    // The webhook of the platform may have come before the question: then both columns say the same.
    const theirs = tab.page.locator('.comparison tbody tr').first().locator('td').last();
    await expect.poll(() => theirs.textContent()).toBe('ACTIVE');
  });
});

describe('an onboarding', () => {
  const externalId = 'console-1';

  it('is on a board by its step, which leads to its path and its history', async () => {
    await laptop.onboard(externalId);
    await waitUntil(async () => (await laptop.readApi(`/onboardings/${externalId}`))['step'], 'AWAITING_VIDEO_CALL');
    await tab.visit('/onboardings');
    await tab.page.locator('.board-column').filter({ hasText: 'AWAITING_VIDEO_CALL' }).locator('.card').click();
    await tab.text('of 7 d').waitFor();
    const states = tab.page.locator('.picture.onboarding');
    await expect.poll(() => states.locator('#node-AWAITING_VIDEO_CALL').getAttribute('class')).toContain('current');
    // The path comes with the history, a moment after the page.
    await expect.poll(() => states.locator('.taken').count()).toBe(5);
    await tab.page.getByRole('row').filter({ hasText: 'the link of the video call is there' }).waitFor();
  });

  it('shows the link of its video call only after a click that the log records', async () => {
    const { identificationUrl } = await laptop.readApi(`/onboardings/${externalId}`);
    const { request } = tab.page.context();
    const headers = await sessionHeadersOf(tab.page);
    for (const read of ['board', 'onboardings', `onboarding?externalId=${externalId}&direction=LR`]) {
      const answer = await request.get(`${running.origin}/api/read/${read}`, { headers });
      expect([read, answer.status()]).toEqual([read, 200]);
      expect(await answer.text()).not.toContain(identificationUrl);
    }
    await tab.visit(`/onboardings/${externalId}`);
    await tab.button('Reveal').click();
    await tab.text(String(identificationUrl)).waitFor();
    const linksRead = 'filter message = "video call link read" | stats count(*) as lines';
    expect(await searchLogOfQuery(laptop.sandbox, linksRead)).toEqual([{ lines: '1' }]);
  });
});

describe('the search', () => {
  it('leads from the id of an event or of a person to its page', async () => {
    const { events } = await laptop.readApi(`/entities/order/${orderId}/timeline`);
    const [{ eventId = '' } = {}] = events as readonly { eventId?: string }[];
    await tab.visit(`/search?id=${eventId}`);
    await tab.heading(orderType).waitFor();
    await tab.visit('/search?id=console-1');
    await tab.text('At this step').waitFor();
  });
});

describe('the page of the registrations', () => {
  it('takes over registrations from another system and removes them one by one, after a plan that is still true', async () => {
    const { registrations } = laptop.sandbox.platform;
    const [foreign, obsolete] = ['USER_NOTIFICATION', 'FORMER_NOTIFICATION'];
    const ours = registrations.get(foreign);
    registrations.register({ eventType: foreign, url: 'https://other.example/webhooks' });
    const url = (ours?.url ?? '').replace(foreign, obsolete);
    registrations.register({ eventType: obsolete, url, headers: ours?.headers ?? [] });
    await tab.visit('/registrations');
    await tab.page.getByRole('row').filter({ hasText: 'leads to https://other.example' }).waitFor();
    await tab.button('Take over').click();
    await tab.text(`This will replace the webhook of another system for ${foreign}`).waitFor();
    registrations.unregister(orderType);
    await tab.confirm.click();
    await tab.text('Nothing was done: the plan has changed').waitFor();
    await tab.button('Close').click();
    expect(registrations.get(foreign)?.url).toBe('https://other.example/webhooks');
    await tab.button('Take over').click();
    await tab.text('and apply the other 1 change of the plan').waitFor();
    await tab.confirm.click();
    await tab.text(`${foreign}: taken over`).waitFor();
    await tab.button('Close').click();
    expect([registrations.get(foreign)?.url, registrations.get(orderType)?.url]).toEqual([
      ours?.url,
      expect.stringContaining(orderType),
    ]);
    await tab.button('Remove').click();
    await tab.text(`This will remove our webhook for ${obsolete}`).waitFor();
    await tab.confirm.click();
    await tab.text(`${obsolete}: removed`).waitFor();
    await tab.button('Close').click();
    expect(registrations.get(obsolete)).toBeUndefined();
  });
});

describe('the reconciliation', () => {
  async function reconcile(action: 'Compare' | 'Repair'): Promise<void> {
    expect((await tab.act(tab.button(action))).outcome).toContain('entities were compared');
  }

  it('compares every entity on request, lists what the platform does not know, and shows the last walk that repairs', async () => {
    const goneId = '0190a6f0-5678-7abc-8def-00000000dead';
    await laptop.deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: goneId, status: 'ACTIVE' });
    await expect.poll(async () => (await laptop.readApi(`/entities/natural-person/${goneId}`))['kind']).toBeDefined();
    await tab.visit('/reconciliation');
    await tab.text('This console has listed nothing yet.').waitFor();
    await tab.text('Scheduled runs keep only counts.').waitFor();
    await reconcile('Compare');
    const unknown = tab.page.getByRole('table', { name: 'Entities: gone' });
    await unknown.getByRole('row').filter({ hasText: goneId }).waitFor();
    await reconcile('Repair');
    await tab.page.getByText('Ended', { exact: true }).waitFor();
    await tab.page.getByText('No walk has ended yet.').waitFor({ state: 'detached' });
  });

  // The last: much is old a week later.
  it('lists the stale entities, of which the last walk has only the count', async () => {
    const staleId = `${orderId}-stale`;
    await laptop.deliver(orderType, { orderId: staleId, status: 'PENDING' });
    await waitUntil(async () => (await laptop.readApi(`/entities/order/${staleId}`))['status'], 'PENDING');
    await advanceClock(laptop.sandbox, 8 * 24 * 60 * 60);
    await tab.visit('/reconciliation');
    await reconcile('Compare');
    const stale = tab.page.getByRole('table', { name: 'Entities: stale' }).first();
    await stale.getByRole('row').filter({ hasText: staleId }).getByText('PENDING').waitFor();
    await tab.text('The last report about the oldest stale entity is of').waitFor();
  });
});

it('makes the browser complain about nothing', () => {
  // The page of an order that was triggered a moment ago asks for the order before its first webhook.
  const awaited = /status of 404/;
  expect(tab.complaints().filter((complaint) => !awaited.test(complaint))).toEqual([]);
});
