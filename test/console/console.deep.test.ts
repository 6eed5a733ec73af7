import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  get,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '#sandbox/net/server.ts';
import { isShown } from './check-accessibility.ts';
import { type ConsoleStage, startStage, waitUntil } from './console-stage.ts';
import { openWindow, sessionHeadersOf, startConsoleOf } from './open-console.ts';

type Started = { readonly request: IncomingMessage; readonly response: ServerResponse };

const channel = 'http.server.request.start';

/** Counts the open connections to the live route of a console of this process, from now on. */
function watchLiveConnections(origin: string) {
  const open = new Set<ServerResponse>();
  const onRequest = (message: unknown) => {
    const { request, response } = message as Started;
    if (request.url !== '/api/live' || `http://${request.headers.host}` !== origin) return;
    open.add(response);
    response.once('close', () => open.delete(response));
  };
  subscribe(channel, onRequest);
  return { count: () => open.size, end: () => unsubscribe(channel, onRequest) };
}

let stage: ConsoleStage;
const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
/** The event that made the order FILLED. */
let eventId: string;
beforeAll(async () => {
  stage = await startStage();
  const { deliver, readApi } = stage;
  await deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', { orderId, status: 'FILLED' });
  await deliver('TRANSFER_NOTIFICATION', 'no JSON');
  await waitUntil(async () => (await readApi(`/entities/order/${orderId}`))['status'], 'FILLED');
  await waitUntil(async () => (await readApi('/quarantine'))['count'], 1);
  const { events } = await readApi(`/entities/order/${orderId}/timeline`);
  eventId = (events as readonly { eventId: string }[])[0]?.eventId ?? '';
});
afterAll(() => stage?.close());

/** The status of the answer to a request whose host can be any, as fetch does not allow. */
function requestStatus(address: string, headers: OutgoingHttpHeaders): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = get(address, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
  });
}

describe('the address with the token', () => {
  it('opens one browser: another one that has seen it gets no session, and reads nothing', async () => {
    await stage.first.heading('Overview').waitFor();
    const other = await openWindow(stage.browser, stage.running.url);
    await other.page.getByText('This window has no session').waitFor();
    expect((await other.context.request.get(`${stage.running.origin}/api/read/session`)).status()).toBe(401);
    await other.context.close();
  });

  it('keeps the session from another server of this machine, which the same browser visits', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const server = await listen((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    try {
      const page = await stage.first.page.context().newPage();
      await page.goto(server.origin);
      await page.close();
      expect(seen[0]).toMatchObject({ 'sec-fetch-dest': 'document' });
      for (const headers of seen) expect(Object.keys(headers)).not.toContain('cookie');
      for (const headers of seen) expect(Object.keys(headers)).not.toContain('authorization');
    } finally {
      await server.close();
    }
  });

  it('lets no other page read or write, even with the session', async () => {
    const { request } = stage.first.page.context();
    const own = await sessionHeadersOf(stage.first.page);
    const session = `${stage.running.origin}/api/read/session`;
    expect((await request.get(session, { headers: own })).status()).toBe(200);
    expect((await request.get(session, { headers: { ...own, host: 'attacker.example' } })).status()).toBe(403);
    const preview = `${stage.running.origin}/api/actions/replayQuarantine/preview`;
    const foreign = { ...own, origin: 'https://attacker.example' };
    expect((await request.post(preview, { data: {}, headers: foreign })).status()).toBe(403);
    expect((await request.post(preview, { data: {}, headers: own })).status()).toBe(403);
  });

  it.each(['__proto__', 'toString', 'constructor'])('answers 404 for a read or an action named %s', async (name) => {
    const { request } = stage.first.page.context();
    const { origin } = stage.running;
    const headers = { ...(await sessionHeadersOf(stage.first.page)), origin };
    expect((await request.get(`${origin}/api/read/${name}`, { headers })).status()).toBe(404);
    expect((await request.post(`${origin}/api/actions/${name}/preview`, { data: {}, headers })).status()).toBe(404);
  });

  it('gives no page of another server the API of the laptop, its control API or its AWS APIs', async () => {
    const { api, control, aws } = stage.sandbox.endpoints;
    for (const address of [`${api}/entities/order`, `${control}/clock`, `${aws.dynamodb}/`]) {
      const statusWith = (headers: OutgoingHttpHeaders) => requestStatus(address, headers);
      expect([address, await statusWith({ host: 'attacker.example' })]).toEqual([address, 403]);
      expect([address, await statusWith({ origin: stage.running.origin })]).toEqual([address, 403]);
      expect([address, await statusWith({})]).not.toEqual([address, 403]);
    }
  });
});

describe('a console without --operator', () => {
  it('disables every write, and shows why', async () => {
    const reading = await startConsoleOf(stage.sandbox, { isOperator: false });
    const reader = await openWindow(stage.browser, reading.url);
    try {
      await reader.page.goto(`${reading.origin}/events/${eventId}`);
      const replay = reader.page.getByRole('button', { name: 'Replay' });
      expect(await replay.isDisabled()).toBe(true);
      expect(await replay.getAttribute('title')).toContain('--operator');
      const words = reader.page.getByText('This console only reads. To write, start it with --operator.');
      await words.waitFor();
      await reader.page.goto(`${reading.origin}/events?quarantineReason=ANY`);
      await reader.page.getByRole('button', { name: 'Replay these' }).waitFor();
      await words.waitFor();
    } finally {
      await reader.context.close();
      await reading.close();
    }
  });
});

describe('a page', () => {
  it.each(['/search?id=', '/events/no-id', '/entities/order/%E0%A4%A'])(
    'shows what it has without an error in the browser: %s',
    async (path) => {
      const tab = await stage.openPage(path);
      await isShown(tab.page);
      expect(await tab.page.getByRole('alert').count()).toBe(0);
      expect(tab.complaints()).toEqual([]);
      await tab.close();
    },
  );

  it('says in plain words what is wrong with each field of its address', async () => {
    const tab = await stage.openPage('/events?effect=applied&receivedFrom=yesterday&receivedTo=soon');
    const lines = (await tab.page.getByRole('alert').locator('.error-title').innerText()).split('\n');
    expect(lines).toEqual([
      'receivedFrom: must be a time such as 2026-01-31T08:00:00Z',
      'receivedTo: must be a time such as 2026-01-31T08:00:00Z',
    ]);
    await tab.close();
  });
});

describe('a browser with eight windows', () => {
  it('shows a new event in each window, by one connection that ends with the last window', async () => {
    const running = await startConsoleOf(stage.sandbox, { isOperator: false });
    const connections = watchLiveConnections(running.origin);
    const { context, page: first, complaints } = await openWindow(stage.browser, running.url);
    try {
      const others = await Promise.all(Array.from({ length: 7 }, () => context.newPage()));
      const windows = [first, ...others];
      await Promise.all(windows.map((page) => page.goto(`${running.origin}/live`)));
      for (const page of windows) await page.getByText('Waiting for webhooks and bus events.').waitFor();
      await stage.deliver('CUSTOMER_NOTIFICATION', { customerId: 'of-all-windows' });
      const row = { hasText: 'CUSTOMER_NOTIFICATION' };
      for (const page of windows) await page.getByRole('row').filter(row).first().waitFor();
      expect(connections.count()).toBe(1);

      for (const page of windows.slice(0, 7)) await page.close();
      await stage.deliver('CUSTOMER_NOTIFICATION', { customerId: 'of-the-last-window' });
      const [last] = others.slice(-1);
      await last?.getByRole('row').filter(row).nth(1).waitFor();
      expect(connections.count()).toBe(1);
      await last?.close();
      await expect.poll(connections.count).toBe(0);
      expect(complaints()).toEqual([]);
    } finally {
      connections.end();
      await context.close();
      await running.close();
    }
  });
});

describe('the keyboard', () => {
  it('reaches the boxes of the architecture, and takes the focus to the page that it opens', async () => {
    const { page, visit, heading } = stage.first;
    await visit('/');
    const box = page.getByRole('link', { name: /^events, entities: / });
    await box.focus();
    await page.keyboard.press('Enter');
    await heading('Quarantine').waitFor();
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('main');
  });

  it('opens pages by g and a letter, moves along rows, and searches by /', async () => {
    const { page, visit, heading } = stage.first;
    await visit('/');
    await heading('Overview').waitFor();
    // The second key must follow within a second, which a busy machine may miss.
    const openEvents = async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('e');
      return heading('Events').isVisible();
    };
    await expect.poll(openEvents).toBe(true);
    await page.locator('[data-row]').first().waitFor();
    for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
    const first = await page.locator('[data-row]').first().getAttribute('href');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe(first);
    await heading('_NOTIFICATION').waitFor();
    await page.keyboard.press('/');
    // As another system writes it.
    await page.keyboard.type(orderId.toUpperCase());
    await page.keyboard.press('Enter');
    await heading('Order').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/entities/order/${orderId}`);
    const shortId = (await page.title()).match(/\S+…\S+/)?.[0] ?? '';
    await page.goBack();
    await heading('_NOTIFICATION').waitFor();
    // As the pages and the titles of tabs print it.
    await page.keyboard.press('/');
    await page.keyboard.type(shortId);
    await page.keyboard.press('Enter');
    await heading('Order').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/entities/order/${orderId}`);
  });

  it('opens pages and presses buttons by a part of their name, from the palette', async () => {
    const { page, visit, heading, dialog, text, button } = stage.first;
    await visit('/reconciliation');
    await button(/^Compare/)
      .first()
      .waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('compare');
    await page.keyboard.press('Enter');
    await text('This will compare persons').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('quarantine');
    await page.keyboard.press('ArrowDown');
    expect(await dialog.locator('button:focus').innerText()).toContain('Events in quarantine');
    await page.keyboard.press('Enter');
    await heading('Events').waitFor();
  });

  it('stays in an open dialog, which Escape closes, and returns to its button', async () => {
    const { page, visit, button, confirm, dialog } = stage.first;
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement.closest('dialog') ? 'dialog' : document.activeElement.tagName + document.activeElement.textContent",
      );
    await visit('/registrations');
    // Until the plan is read, the button is disabled and cannot have the focus.
    await expect.poll(() => button('Rotate the secret').isEnabled(), { timeout: 60_000 }).toBe(true);
    await button('Rotate the secret').focus();
    await page.keyboard.press('Enter');
    await confirm.waitFor();
    for (let tabs = 0; tabs < 8; tabs += 1) {
      await page.keyboard.press('Tab');
      // Between the last and the first part of the dialog the browser itself has the focus.
      expect(await focused()).toMatch(/^(?:dialog$|BODY)/);
    }
    // Keys of the pages do nothing below the dialog.
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect([await focused(), new URL(page.url()).pathname]).toEqual(['BUTTONRotate the secret', '/registrations']);
    await page.keyboard.press('?');
    await dialog.getByText('show the keys').waitFor();
    await dialog.getByText('Turn single keys off').click();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await dialog.getByLabel('Page, action, or id').waitFor();
    expect(await dialog.count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  });
});
